// Issues ids until it is told to end; see issuers.py for the arguments and what the programs of all languages do.
#include <polyflake/polyflake.hpp>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "id_file.hpp"
#include "say.hpp"

namespace {

using Clock = std::chrono::steady_clock;
using polyflake::test::IdFile;
using polyflake::test::say;

volatile std::sig_atomic_t end_requested = 0;
volatile std::sig_atomic_t fork_requested = 0;

void pause_for(std::chrono::milliseconds time) { std::this_thread::sleep_for(time); }

class Issuer {
 public:
  Issuer(std::string path, polyflake::Options options, std::uint64_t seed, std::chrono::milliseconds pause)
      : path_(std::move(path)),
        options_(std::move(options)),
        seed_(seed),
        pause_(pause),
        ids_(std::make_unique<IdFile>(path_)) {}

  void run() {
    while (end_requested == 0 && Clock::now() < ends_) {
      if (fork_requested != 0) {
        fork_requested = 0;
        fork();
      }
      try {
        if (generator_ == nullptr) open();
        issue_batch();
        failures_ = 0;
      } catch (const polyflake::Error& error) {
        say(std::string("error ") + error.code_name());
        if (++failures_ >= 5) close();
        pause_for(std::chrono::milliseconds(20));
      }
      pause_for(pause_);
    }
    close();
  }

 private:
  void open() {
    const Clock::time_point begin = Clock::now();
    generator_ = std::make_unique<polyflake::Generator>(options_);
    ids_->append(0);  // another generator begins
    const std::uint64_t first = generator_->next_id();
    const std::chrono::nanoseconds passed = Clock::now() - begin;
    record(&first, 1);
    say("first " + std::to_string(passed.count()));
    // A second thread, so that a fork meets one in the middle of a call; its ids are not recorded.
    if (seed_ % 2 == 1) beside_ = std::thread([this] { issue_beside(); });
  }

  void close() {
    closing_.store(true);
    if (beside_.joinable()) beside_.join();
    closing_.store(false);
    generator_.reset();
    failures_ = 0;
  }

  void issue_beside() {
    while (!closing_.load()) {
      try {
        generator_->next_id();
      } catch (const polyflake::Error&) {
        pause_for(std::chrono::milliseconds(20));  // the other thread says it
      }
      pause_for(std::chrono::milliseconds(1));
    }
  }

  void issue_batch() {
    batch_.clear();
    const std::uint64_t turn = turn_++ + seed_;
    try {
      if (turn % 100 == 99) return fill(4000);
      if (turn % 3 == 0) return fill(40);
      for (int i = 0; i < 20; ++i) {
        const auto id = turn % 3 == 1 ? std::optional<std::uint64_t>(generator_->next_id()) : generator_->try_next_id();
        if (id) batch_.push_back(*id);
      }
    } catch (...) {
      record(batch_.data(), batch_.size());
      throw;
    }
    record(batch_.data(), batch_.size());
  }

  void fill(std::size_t count) {
    std::vector<std::uint64_t> ids(count);
    generator_->fill(ids.data(), count);
    record(ids.data(), count);
  }

  void record(const std::uint64_t* ids, std::size_t count) {
    if (ids_->count() + count + 1 > ids_->capacity()) {
      say("full");
      end_requested = 1;
      return;
    }
    for (std::size_t i = 0; i < count; ++i) ids_->append(ids[i]);
  }

  // The child records in a file of its own, for a few seconds.
  void fork() {
    const bool alone = !beside_.joinable();  // only fork() leaves malloc usable where threads are
    const pid_t pid = alone && forks_ % 3 == 1 ? ::_Fork()
                      : alone && forks_ % 3 == 2
                          ? static_cast<pid_t>(::syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, nullptr))
                          : ::fork();
    ++forks_;
    if (pid != 0) return;
    const std::string path = path_ + "." + std::to_string(::syscall(SYS_getpid));
    const int log = ::open((path + ".log").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    ::dup2(log, STDOUT_FILENO);
    ids_.release();  // its mapping is the parent's to write
    ids_ = std::make_unique<IdFile>(path, std::size_t{1} << 20);
    ids_->append(0);
    // The thread is the parent's, and cannot be joined here.
    if (beside_.joinable()) beside_.detach();
    ends_ = Clock::now() + std::chrono::milliseconds(1000 + (seed_ + turn_) % 3000);
  }

  const std::string path_;
  const polyflake::Options options_;
  const std::uint64_t seed_;
  const std::chrono::milliseconds pause_;
  std::unique_ptr<IdFile> ids_;
  std::unique_ptr<polyflake::Generator> generator_;
  std::thread beside_;
  std::atomic<bool> closing_{false};
  std::vector<std::uint64_t> batch_;
  std::uint64_t turn_ = 0, forks_ = 0;
  int failures_ = 0;
  Clock::time_point ends_ = Clock::time_point::max();
};

// So that many can begin at once.
void wait_for_end_of_input() {
  char byte;
  while (::read(STDIN_FILENO, &byte, 1) > 0) {
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 7) return 2;
  ::signal(SIGTERM, [](int) { end_requested = 1; });
  ::signal(SIGUSR1, [](int) { fork_requested = 1; });
  ::signal(SIGCHLD, SIG_IGN);  // nobody waits for the children
  try {
    polyflake::Options options;
    options.layout = polyflake::Layout(arguments[2]);
    options.worker = arguments[3];
    options.max_lead_ms = std::atoll(arguments[4]);
    const auto seed = static_cast<std::uint64_t>(std::atoll(arguments[5]));
    if (seed % 5 == 4) options.ordering = polyflake::Ordering::per_thread;
    Issuer issuer(arguments[1], options, seed, std::chrono::milliseconds(std::atoll(arguments[6])));
    say("ready");
    wait_for_end_of_input();
    issuer.run();
    say("done");
    return 0;
  } catch (const std::exception& error) {
    say(std::string("failure ") + error.what());
    return 1;
  }
}
