// The program `polyflake`. It has no client for stores.
#include <csignal>
#include <exception>
#include <string>
#include <vector>

#include "command.hpp"
#include "terminal.hpp"

#if defined(SIGPIPE)
namespace {

// Ends the program as the signal always does, with the terminal restored.
void stop(int number) {
  polyflake::cli::terminal::tidy();
  std::signal(number, SIG_DFL);
  std::raise(number);
}

}  // namespace
#endif

int main(int count, char** arguments) {
  using polyflake::cli::Command;
#if defined(SIGPIPE)
  // The write reports a reader that is gone, as in the other hosts of the command.
  std::signal(SIGPIPE, SIG_IGN);
  for (const int number : {SIGINT, SIGTERM}) {
    // nohup and shells need this.
    if (std::signal(number, stop) == SIG_IGN) std::signal(number, SIG_IGN);
  }
#endif
  try {
    Command command(std::vector<std::string>(arguments + (count > 0 ? 1 : 0), arguments + count));
    while (const auto request = command.step()) {
      command.fail("worker_source_invalid",
                   "this program has no client of a store; `python -m polyflake`, `npx polyflake` and `java -cp "
                   "polyflake.jar:jedis.jar io.github.polyflake.Main` take the same arguments and have one");
    }
    return command.exit_code();
  } catch (const std::exception&) {
    return 1;  // no memory even for a message
  }
}
