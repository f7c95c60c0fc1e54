// Processes that do as they are told: each opens generators and takes ids, a command at a time. They are copies of the
// test's process, which has none of its own, and have its clock (share_clock()).
#pragma once

#include <polyflake/polyflake.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../core/expect_error.hpp"
#include "system_calls.hpp"

namespace polyflake::test {

class Sibling {
 public:
  explicit Sibling(const std::string& layout = "polyflake", std::int64_t max_lead_ms = 0)
      : Sibling(with(layout, max_lead_ms)) {}
  // What all of its generators are opened with. A clock must be one that processes share.
  explicit Sibling(Options options) : options_(std::move(options)) {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) != 0) std::abort();
    pid_ = ::fork();
    if (pid_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      ::close(ends[0]);
      obey(ends[1]);
    }
    ::close(ends[1]);
    end_ = ends[0];
  }
  ~Sibling() {
    kill();
    ::close(end_);
  }
  Sibling(const Sibling&) = delete;
  Sibling& operator=(const Sibling&) = delete;

  // Opens its next generator; a number is a static one, an empty text the worker of the options. These three return "none", also
  // if the generator could not be opened, or "<code>: <message>", or "hangs" if the process does not answer.
  std::string open(const std::string& worker = "") { return command("open", worker, 0, 0); }
  // So many that two processes which come to one tick meet, wherever in it each begins.
  std::string take(std::size_t generator = 0, std::size_t count = 600) { return command("take", "", generator, count); }
  std::string renew(std::size_t generator = 0) { return command("renew", "", generator, 0); }
  // The node id of the generator.
  std::string worker(std::size_t generator = 0) { return command("worker", "", generator, 0); }

  // From now on every flush moves the clock on by this.
  void make_flushes_slow(std::size_t seconds) { command("slow", "", 0, seconds); }
  // From now on no flush of this file succeeds; of none: "".
  void fail_flushes_of(const std::string& path) { command("fail", path, 0, 0); }
  // From now on it sleeps for so long before a call on this file that it has locked.
  void linger_over(const std::string& path, std::size_t ms) { command("linger", path, 0, ms); }
  // It ends at once when it is about to write this file.
  void die_in_writing(const std::string& path) { command("die", path, 0, 0); }
  // From now on it can open nothing; or again.
  void use_up_descriptors() { command("full", "", 0, 0); }
  void free_descriptors() { command("free", "", 0, 0); }
  // Returns how many calls the last of these commands acted on.
  std::size_t calls_met() { return std::stoul(command("count", "", 0, 0)); }

  // All that it took so far.
  const std::vector<std::uint64_t>& ids() const { return ids_; }
  pid_t pid() const { return pid_; }

  void kill() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }
  // With its exit handlers.
  void end() {
    command("end", "", 0, 0);
    ::waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }

 private:
  static constexpr std::size_t kMostIds = 100'000, kMostAtOnce = 4000;

  struct Command {
    char what[16];
    char text[300];
    std::size_t generator, count;
  };
  struct Answer {
    char text[600];
    std::size_t count;
    std::uint64_t ids[kMostAtOnce];
  };

  static Options with(const std::string& layout, std::int64_t max_lead_ms) {
    Options options;
    options.layout = Layout(layout);
    options.max_lead_ms = max_lead_ms;
    return options;
  }

  std::string command(const char* what, const std::string& text, std::size_t generator, std::size_t count) {
    Command command = {"", "", generator, count};
    std::snprintf(command.what, sizeof command.what, "%s", what);
    std::snprintf(command.text, sizeof command.text, "%s", text.c_str());
    const auto answer = std::make_unique<Answer>();
    if (::send(end_, &command, sizeof command, MSG_NOSIGNAL) != sizeof command) return "hangs";
    if (::recv(end_, answer.get(), sizeof(Answer), 0) != sizeof(Answer)) return "hangs";
    ids_.insert(ids_.end(), answer->ids, answer->ids + answer->count);
    return answer->text;
  }

  // --- in the other process ------------------------------------------------------------------------

  [[noreturn]] void obey(int end) {
    const auto answer = std::make_unique<Answer>();
    for (Command command; ::recv(end, &command, sizeof command, 0) == sizeof command;) {
      ::alarm(kSecondsToHang);
      answer->count = 0;
      const std::string said = done(command, *answer);
      ::alarm(0);
      std::snprintf(answer->text, sizeof answer->text, "%s", said.c_str());
      if (::send(end, answer.get(), sizeof(Answer), 0) != sizeof(Answer)) std::abort();
      if (said == "end") std::exit(0);
    }
    ::_exit(0);
  }

  std::string done(const Command& command, Answer& answer) {
    const std::string what = command.what;
    if (what == "end") return what;
    if (command.generator >= generators_.size() && (what == "take" || what == "renew")) return "none";
    if (what == "worker") return std::to_string(generators_[command.generator]->worker());
    if (what == "full" || what == "free") {
      on_calls(what == "full" ? open_nothing : nullptr);
      return "none";
    }
    if (what == "count") return std::to_string(acted_on_);
    if (what == "slow" || what == "fail" || what == "linger" || what == "die") {
      acted_on_ = 0;
      amount_ = command.count;
      std::snprintf(path_, sizeof path_, "%s", command.text);
      on_calls(what == "slow" ? be_slow : what == "fail" ? fail : what == "die" ? die : linger);
      return "none";
    }
    return error_of([&] {
      if (what == "open") open_here(command.text);
      if (what == "renew") generators_[command.generator]->renew();
      if (what == "take") {
        for (std::size_t i = 0; i < std::min(command.count, kMostAtOnce); ++i, ++answer.count) {
          answer.ids[i] = generators_[command.generator]->next_id();
        }
      }
    });
  }

  void open_here(const std::string& worker) {
    Options options = options_;
    const bool is_number = worker.find_first_not_of("0123456789") == std::string::npos;
    if (!worker.empty()) options.worker = is_number ? Worker(std::stoi(worker)) : Worker(worker);
    generators_.push_back(std::make_unique<Generator>(options));
  }

  static int open_nothing(const Call& call) {
    const bool opens = is(call, "open") || is(call, "openat") || is(call, "opendir") || is(call, "socket");
    return opens ? EMFILE : 0;
  }

  static bool is_flush(const Call& call) { return is(call, "fdatasync") || is(call, "fsync"); }

  static int be_slow(const Call& call) {
    if (!is_flush(call)) return 0;
    ++acted_on_;
    pass_time(static_cast<long>(amount_));
    return 0;
  }
  static int fail(const Call& call) {
    if (!is_flush(call) || !concerns(call, path_)) return 0;
    ++acted_on_;
    return EIO;
  }
  static int die(const Call& call) {
    if (is(call, "pwritev") && concerns(call, path_)) ::_exit(1);
    return 0;
  }
  static int linger(const Call& call) {
    if (!concerns(call, path_)) return 0;
    ++acted_on_;
    const bool locks = is(call, "flock");
    if (!locks && locked_) sleep_truly(static_cast<int>(amount_));
    locked_ = locks;
    return 0;
  }

  static inline std::size_t amount_ = 0, acted_on_ = 0;
  static inline bool locked_ = false;
  static inline char path_[300] = "";

  const Options options_;
  pid_t pid_ = -1;
  int end_ = -1;
  std::vector<std::uint64_t> ids_;
  std::vector<std::unique_ptr<Generator>> generators_;  // in the other process
};

// Ids that were issued more than once, in order.
inline std::vector<std::uint64_t> duplicates_of(const std::vector<const Sibling*>& siblings) {
  std::vector<std::uint64_t> all, twice;
  for (const Sibling* const sibling : siblings) all.insert(all.end(), sibling->ids().begin(), sibling->ids().end());
  std::sort(all.begin(), all.end());
  for (std::size_t i = 1; i < all.size(); ++i) {
    if (all[i] == all[i - 1]) twice.push_back(all[i]);
  }
  return twice;
}

}  // namespace polyflake::test
