#include "output.hpp"

#include "system.hpp"

namespace polyflake::cli {

void Output::flush() {
  if (buffer_.empty()) return;
  const system::Result result = system::write(descriptor_, buffer_.data(), buffer_.size());
  const std::string reason = result == system::Result::failed ? system::last_failure() : "";
  buffer_.clear();
  if (result == system::Result::broken) throw BrokenPipe{};
  if (result != system::Result::done) throw StreamFailure("output cannot be written: " + reason);
}

}  // namespace polyflake::cli
