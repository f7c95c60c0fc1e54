#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "os/failure.hpp"
#include "os/windows_system.hpp"

namespace polyflake::test {

class Program {
 public:
  static constexpr int kKilled = 137;  // the end of what was killed

  explicit Program(const std::vector<std::string>& command, const std::vector<std::string>& variables = {}) {
    platform::Handle its_input, its_output;
    make_pipe(its_input, input_, input_);
    make_pipe(output_, its_output, output_);
    STARTUPINFOW start = {};
    start.cb = sizeof start;
    start.dwFlags = STARTF_USESTDHANDLES;
    start.hStdInput = its_input.get();
    start.hStdOutput = its_output.get();
    start.hStdError = ::GetStdHandle(STD_ERROR_HANDLE);
    std::wstring line, environment = environment_with(variables);
    for (const std::string& word : command) line += L"\"" + platform::wide(word) + L"\" ";
    PROCESS_INFORMATION made;
    if (!::CreateProcessW(nullptr, line.data(), nullptr, nullptr, TRUE, CREATE_UNICODE_ENVIRONMENT, environment.data(),
                          nullptr, &start, &made)) {
      throw std::runtime_error("cannot start " + command[0] + ": " + platform::last_error());
    }
    const platform::Handle thread(made.hThread);
    process_ = platform::Handle(made.hProcess);
    pid_ = made.dwProcessId;
  }
  Program(Program&&) noexcept = default;
  Program& operator=(Program&&) = delete;
  ~Program() {
    if (running()) kill_now();
  }

  std::uint64_t pid() const { return pid_; }
  bool running() const { return static_cast<bool>(process_); }  // as far as was waited for it

  // Whether line() would return at once.
  bool has_output() const {
    DWORD size = 0;
    return !::PeekNamedPipe(output_.get(), nullptr, 0, nullptr, &size, nullptr) || size > 0;
  }

  // The next line, without its end; "" when there is none.
  std::string line() {
    std::string text;
    char c;
    DWORD size = 0;
    while (::ReadFile(output_.get(), &c, 1, &size, nullptr) && size == 1 && c != '\n') {
      if (c != '\r') text += c;
    }
    return text;
  }

  // Ends its input and waits for it; the exit status.
  int end() {
    input_ = platform::Handle();
    return wait();
  }
  void kill() const { ::TerminateProcess(process_.get(), kKilled); }
  int kill_now() {
    kill();
    return wait();
  }
  int wait() {
    const platform::Handle process = std::move(process_);
    DWORD code = 0;
    ::WaitForSingleObject(process.get(), INFINITE);
    ::GetExitCodeProcess(process.get(), &code);
    return static_cast<int>(code);
  }

 private:
  // The end that is ours is not inherited.
  static void make_pipe(platform::Handle& reading, platform::Handle& writing, const platform::Handle& ours) {
    SECURITY_ATTRIBUTES inherited = {sizeof inherited, nullptr, TRUE};
    HANDLE read = nullptr, write = nullptr;
    if (!::CreatePipe(&read, &write, &inherited, 0)) throw std::runtime_error("no pipe");
    reading = platform::Handle(read);
    writing = platform::Handle(write);
    ::SetHandleInformation(ours.get(), HANDLE_FLAG_INHERIT, 0);
  }

  // `variables` ("NAME=value") in place of those of this process.
  static std::wstring environment_with(const std::vector<std::string>& variables) {
    std::map<std::wstring, std::wstring> all;
    const auto add = [&](const std::wstring& word) {
      const std::size_t end = word.find(L'=', 1);
      all[word.substr(0, end)] = word.substr(end);
    };
    wchar_t* const own = ::GetEnvironmentStringsW();
    for (const wchar_t* word = own; *word != L'\0'; word += std::wstring(word).size() + 1) add(word);
    ::FreeEnvironmentStringsW(own);
    for (const std::string& word : variables) add(platform::wide(word));
    std::wstring block;
    for (const auto& [name, value] : all) block += name + value + L'\0';
    return block + L'\0';
  }

  platform::Handle process_, input_, output_;
  std::uint64_t pid_ = 0;
};

}  // namespace polyflake::test
