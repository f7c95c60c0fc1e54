// A program that stops itself while it opens a generator: stopping_issuer LAYOUT STOP_AT FILE CAPACITY
//
// Opens `host` and takes a first id, stopped (SIGSTOP) before its system call number STOP_AT of that (0: never). Then it
// says how many calls there were, and goes on with three ids each 50 ms until its input ends; what fails is tried again.
// The ids go to FILE (see id_file.hpp).
#include <polyflake/polyflake.hpp>

#include <cstdlib>
#include <memory>
#include <optional>
#include <string>

#include <poll.h>
#include <unistd.h>

#include "../core/id_file.hpp"
#include "../core/say.hpp"
#include "system_calls.hpp"

namespace {

using namespace polyflake;

bool input_ends_within(int ms) {
  pollfd input{STDIN_FILENO, POLLIN, 0};
  return ::poll(&input, 1, ms) > 0;
}

class Issuer {
 public:
  Issuer(const char* layout, test::IdFile& ids) : ids_(ids) {
    options_.layout = layout;
    options_.worker = "host";
  }
  // Opens where that did not succeed yet, and takes an id.
  void issue() {
    try {
      if (!generator_) generator_.emplace(options_);
      const std::uint64_t id = generator_->next_id();
      if (ids_.count() < ids_.capacity()) ids_.append(id);
    } catch (const Error& error) {
      failure_ = error.what();
    }
  }
  const std::string& failure() const { return failure_; }

 private:
  Options options_;
  test::IdFile& ids_;
  std::optional<Generator> generator_;
  std::string failure_;
};

}  // namespace

int main(int count, char** arguments) {
  if (count != 5) return 2;
  test::IdFile ids(arguments[3], static_cast<std::size_t>(std::atol(arguments[4])));
  Issuer issuer(arguments[1], ids);
  test::stop_before_call(std::atol(arguments[2]));
  issuer.issue();
  test::say(std::to_string(test::calls_made()) + " " + issuer.failure());
  while (!input_ends_within(50)) {
    for (int i = 0; i < 3; ++i) issuer.issue();
  }
}
