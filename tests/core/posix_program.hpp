#pragma once

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace polyflake::test {

class Program {
 public:
  static constexpr int kKilled = -SIGKILL;  // the end of what was killed

  // `variables` ("NAME=value") come before those of this process.
  explicit Program(const std::vector<std::string>& command, const std::vector<std::string>& variables = {}) {
    int input[2], output[2];
    if (::pipe2(input, O_CLOEXEC) != 0 || ::pipe2(output, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, input[0], STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO);
    std::vector<char*> arguments, environment;
    for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
    for (const std::string& word : variables) environment.push_back(const_cast<char*>(word.c_str()));
    for (char** word = environ; *word != nullptr; ++word) environment.push_back(*word);
    arguments.push_back(nullptr);
    environment.push_back(nullptr);
    const int failed = ::posix_spawn(&pid_, arguments[0], &actions, nullptr, arguments.data(), environment.data());
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(input[0]);
    ::close(output[1]);
    input_ = input[1];
    output_ = output[0];
    if (failed != 0) throw std::runtime_error("cannot start " + command[0]);
  }
  Program(Program&& other) noexcept
      : pid_(std::exchange(other.pid_, -1)),
        input_(std::exchange(other.input_, -1)),
        output_(std::exchange(other.output_, -1)) {}
  Program& operator=(Program&&) = delete;
  ~Program() {
    if (pid_ > 0) kill_now();
    if (input_ >= 0) ::close(input_);
    if (output_ >= 0) ::close(output_);
  }

  pid_t pid() const { return pid_; }
  bool running() const { return pid_ > 0; }  // as far as was waited for it

  // Whether line() would return at once.
  bool has_output() const {
    pollfd output{output_, POLLIN, 0};
    return ::poll(&output, 1, 0) > 0;
  }

  // The next line, without its end; "" when there is none.
  std::string line() {
    std::string text;
    char c;
    while (::read(output_, &c, 1) == 1 && c != '\n') text += c;
    return text;
  }

  // Ends its input and waits for it; the exit status, or minus the signal.
  int end() {
    ::close(std::exchange(input_, -1));
    return wait();
  }
  void kill() const { ::kill(pid_, SIGKILL); }
  int kill_now() {
    kill();
    return wait();
  }
  int wait() {
    int status = 0;
    ::waitpid(std::exchange(pid_, -1), &status, 0);
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
  }

 private:
  pid_t pid_ = -1;
  int input_ = -1;
  int output_ = -1;
};

}  // namespace polyflake::test
