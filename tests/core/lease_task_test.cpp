// Tasks of operators over a store that does not answer: when they give up, and with whose words.
#include <polyflake/error.hpp>
#include <polyflake/store.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "lease/task.hpp"

namespace polyflake::lease {
namespace {

constexpr std::int64_t kTimeoutMs = 5000;

class Random final : public lease::Random {
 public:
  std::uint64_t bits() override { return ++bits_; }

 private:
  std::uint64_t bits_ = 0;
} g_random;

Settings task_settings() {
  Settings settings;
  settings.layout = 77;
  settings.capacity = 1024;
  settings.makes_namespace = true;
  settings.acquire_timeout_ms = kTimeoutMs;
  return settings;
}

// A task that makes a namespace, and the time as it passes.
struct Making {
  // A request; sleeps for as long as the task says.
  Action request() {
    Action action = task.next(now);
    while (action.kind == Action::Kind::sleep) {
      pass(action.mono_ms - now.mono_ms);
      action = task.next(now);
    }
    return action;
  }
  void pass(std::int64_t ms) { now = {now.wall_ms + ms, now.mono_ms + ms}; }

  // Requests that nobody answers, each for so long, until the task fails: how many, and what it says.
  int fail_after(std::int64_t command_ms) {
    for (int requests = 0;; ++requests) {
      try {
        request();
        pass(command_ms);
        task.deliver_nothing("nobody listens", now);
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::store_unavailable);
        EXPECT_STREQ(error.what(), "nobody listens");
        return requests;
      }
    }
  }

  InitTask task{task_settings(), false, g_random};
  Time now{1'700'000'000'000, 1000};
};

TEST(Tasks, whose_first_question_fails_fail_at_once) {
  Making making;
  EXPECT_EQ(making.fail_after(1), 0);
  EXPECT_EQ(making.now.mono_ms, 1001);
}

TEST(Tasks, that_were_answered_before_go_on_for_as_long_as_opening_does) {
  for (const std::int64_t command_ms : {0, 1, 800, 2000}) {
    Making making;
    making.request();
    making.task.deliver(Contents{{}, {}, "first", {}});
    const std::int64_t begun_ms = making.now.mono_ms;
    const int requests = making.fail_after(command_ms);
    EXPECT_GE(making.now.mono_ms, begun_ms + kTimeoutMs) << "not sooner";
    EXPECT_LE(making.now.mono_ms, begun_ms + kTimeoutMs + command_ms + 1000) << "nor much later";
    EXPECT_LE(requests, 100) << "without hurry";
    EXPECT_GE(requests, 2);
  }
}

TEST(Tasks, whose_requests_always_come_too_late_give_up) {
  Making making;
  EXPECT_THROW(
      {
        for (int i = 0; i < 1000; ++i) {
          const Action action = making.request();
          if (action.kind == Action::Kind::read) {
            making.task.deliver(Contents{{}, {}, "first", {}});
          } else {
            making.task.deliver(Answer{Outcome::conflict, action.cas.echo, {}});
          }
        }
      },
      Error);
}

}  // namespace
}  // namespace polyflake::lease
