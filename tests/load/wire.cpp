#include "wire.hpp"

#include <charconv>

namespace polyflake::load {

std::uint64_t number_of(std::string_view digits) {
  std::uint64_t value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, failure] = std::from_chars(digits.data(), end, value);
  if (failure != std::errc() || stop != end) {
    throw UnreadableReply("a reply has '" + std::string(digits.substr(0, 40)) + "' where a number belongs");
  }
  return value;
}

std::unique_ptr<Wire> wire_of(const Options& options) {
  switch (options.protocol) {
    case Options::Protocol::http: return http_wire(options);
    case Options::Protocol::thrift: return thrift_wire(options);
    default: return resp_wire(options);
  }
}

}  // namespace polyflake::load
