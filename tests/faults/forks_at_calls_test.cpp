// A fork while another thread stands before a system call of the library, at each of them: the child opens, and when the
// parent is gone none of its locks is left.
#include <polyflake/polyflake.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstdio>
#include <optional>
#include <string>
#include <thread>

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../core/expect_error.hpp"
#include "../core/fresh_home.hpp"
#include "../core/with_worker.hpp"
#include "locked_files.hpp"
#include "system_calls.hpp"

namespace polyflake::test {
namespace {

const Layout kLayout = "polyflake";
constexpr long kSecondsOfARound = 20;

// Stands before its call number `at`, until others have forked.
thread_local bool t_stands_still = false;
std::atomic<long> g_calls{0}, g_stand_at{0};
std::atomic<bool> g_status{false};

int stand_still(const Call&) {
  if (!t_stands_still || ++g_calls != g_stand_at) return 0;
  g_status = true;
  while (g_status) sleep_truly(1);
  return 0;
}

// What a thread is about when another one forks.
struct Work {
  const char* name;
  enum class Before { nothing, a_number, the_same } opened_before;
};

void PrintTo(const Work& work, std::ostream* out) { *out << work.name; }

class ForksAtCalls : public testing::TestWithParam<Work> {
 protected:
  enum class Round { over, passed, failed };

  // The parent holds node id 7 or is about to.
  [[noreturn]] void be_the_parent(int report) const {
    std::optional<Generator> generator, other;
    if (GetParam().opened_before == Work::Before::a_number) other.emplace(with_worker(1000));
    if (GetParam().opened_before == Work::Before::the_same) {
      generator.emplace(with_worker("host:7")).next_id();
      pass_time(3);
    }
    std::atomic<bool> done{false};
    std::thread([&] {
      on_calls(stand_still);
      t_stands_still = true;
      error_of([&] {  // the child may be quicker
        if (!generator) generator.emplace(with_worker("host:7"));
        generator->next_id();
      });
      t_stands_still = false;
      done = true;
    }).detach();
    while (!done && !g_status) std::this_thread::yield();
    if (done) {
      tell(report, "over");
    } else if (::fork() == 0) {
      on_calls(nullptr);
      be_the_child(report);
    }
    g_status = false;
    for (;;) ::pause();
  }

  [[noreturn]] static void be_the_child(int report) {
    ::alarm(kSecondsToHang);
    const std::string failure = error_of([&] {
      Generator generator(with_worker("host"));
      const bool was_quicker = kLayout.unpack(generator.next_id()).node == 7;
      ::alarm(0);
      tell(report, was_quicker ? "has it" : "open");
      for (;;) ::pause();
    });
    tell(report, failure);
    for (;;) ::pause();
  }

  // A word, and who said it.
  static void tell(int report, const std::string& said) {
    const std::string line = std::to_string(::getpid()) + " " + said;
    if (::write(report, line.data(), line.size()) < 0) std::abort();
  }
  static std::string hear(int report) {
    pollfd end{report, POLLIN, 0};
    char text[400];
    if (::poll(&end, 1, static_cast<int>(kSecondsToHang + 1) * 1000) != 1) return "0 hangs";
    const ssize_t size = ::read(report, text, sizeof text);
    return size <= 0 ? "0 died" : std::string(text, static_cast<std::size_t>(size));
  }

  Round fork_at(long call) {
    ahead_ += kSecondsOfARound;
    set_clock_ahead(ahead_);
    g_stand_at = call;
    int ends[2];
    if (::pipe(ends) != 0) std::abort();
    const pid_t parent = ::fork();
    if (parent == 0) be_the_parent(ends[1]);
    const std::string said = hear(ends[0]);
    ::kill(parent, SIGKILL);
    ::waitpid(parent, nullptr, 0);
    const std::string word = said.substr(said.find(' ') + 1);
    bool passed = word == "open" || word == "has it";
    if (word != "over") {
      EXPECT_TRUE(passed) << word << ", forked at call " << call;
      const bool locked = word != "has it" && is_locked(node_path(home.path(), kLayout, 7));
      EXPECT_FALSE(locked) << "the child keeps its parent's node id, forked at call " << call;
      passed = passed && !locked;
      if (const pid_t child = std::stoi(said); child > 0) ::kill(child, SIGKILL);
    }
    for (const int end : ends) ::close(end);
    return word == "over" ? Round::over : passed ? Round::passed : Round::failed;
  }

  const FreshHome home;

 private:
  long ahead_ = 0;
};

TEST_P(ForksAtCalls, leave_a_child_that_opens_and_no_lock_of_the_parent) {
  int failed = 0;
  long call = 1;
  for (Round round; failed < 5 && (round = fork_at(call)) != Round::over; ++call)
    failed += round == Round::failed ? 1 : 0;
  std::printf("forked at %ld calls\n", call - 1);
  EXPECT_GT(call, 3);
}

INSTANTIATE_TEST_SUITE_P(All, ForksAtCalls,
                         testing::Values(Work{"opening_first", Work::Before::nothing},
                                         Work{"opening", Work::Before::a_number},
                                         Work{"extending", Work::Before::the_same}),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace polyflake::test
