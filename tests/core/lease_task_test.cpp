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

TEST(Tasks, that_make_a_namespace_write_it_again_until_a_write_is_confirmed) {
  for (const int unconfirmed : {0, 1, 3}) {
    Making making;
    Tables tables;
    int writes = 0;
    for (Action action = making.request(); action.kind != Action::Kind::done; action = making.request()) {
      if (action.kind == Action::Kind::read) {
        making.task.deliver(tables.read(action.read, "first", {}));
        continue;
      }
      const Outcome outcome = tables.step(action.cas, "first", {});
      ASSERT_EQ(outcome, Outcome::ok);
      const bool confirmed = ++writes > unconfirmed;
      making.task.deliver(Answer{confirmed ? Outcome::ok : Outcome::unknown, action.cas.echo, {}});
    }
    EXPECT_EQ(writes, unconfirmed + 1);
    EXPECT_EQ(making.task.uuid(), tables.space->uuid) << "the same namespace";
  }
}

TEST(Tasks, that_find_the_namespace_of_another_leave_it_as_it_is) {
  Making making;
  Tables tables;
  tables.space.emplace();
  tables.space->layout = task_settings().layout;
  tables.space->window_ms = 10'000;
  tables.space->tolerance_ms = 500;
  making.task.deliver(tables.read(making.request().read, "first", {}));
  EXPECT_EQ(making.request().kind, Action::Kind::done);
}

constexpr std::int64_t kNowMs = 1'700'000'000'000, kYearMs = 31'536'000'000;

// A namespace whose floor was a year ahead, after a task: its floor, its term, and when its former term ended.
struct Lowered {
  std::int64_t floor_ms;
  Word term;
  std::int64_t ended_ms = 0;
};

// late_ms: a write is with the store so long after it was asked for.
Lowered lowered(std::int64_t floor_ms, bool lower, std::int64_t late_ms = 0) {
  const Layout layout("polyflake");
  Tables tables;
  tables.space.emplace();
  tables.space->layout = layout.fingerprint();
  tables.space->window_ms = 10'000;
  tables.space->tolerance_ms = 500;
  tables.space->floor_ms = kNowMs + kYearMs;
  RaiseFloorTask task(layout, floor_ms, lower, g_random);
  std::int64_t now_ms = kNowMs, ended_ms = 0;
  for (;;) {
    const Action action = task.next({now_ms, now_ms});
    if (action.kind == Action::Kind::done) return {tables.space->floor_ms, tables.space->term, ended_ms};
    if (action.kind == Action::Kind::read) {
      task.deliver(tables.read(action.read, "", now_ms));
      continue;
    }
    now_ms += late_ms;
    const Outcome outcome = tables.step(action.cas, "", now_ms);
    if (outcome == Outcome::ok && ended_ms == 0) ended_ms = now_ms;
    task.deliver(Answer{outcome, action.cas.echo, now_ms});
  }
}

TEST(Floors, are_lowered_by_who_says_so_to_a_quarantine_from_now_at_the_earliest_and_under_a_new_term) {
  EXPECT_EQ(lowered(kNowMs, false).floor_ms, kNowMs + kYearMs);
  EXPECT_EQ(lowered(kNowMs, true).floor_ms, kNowMs + 11'000);
  EXPECT_EQ(lowered(kNowMs + 60'000, true).floor_ms, kNowMs + 60'000);
  EXPECT_NE(lowered(kNowMs, true).term, Word{});
}

// A window of the former term may have been asked for just before it ended, W ahead.
TEST(Floors, are_lowered_by_a_clock_that_was_read_after_the_former_term_had_ended) {
  const Lowered late = lowered(kNowMs, true, 60'000);
  EXPECT_EQ(late.ended_ms, kNowMs + 60'000);
  EXPECT_GE(late.floor_ms, late.ended_ms + 11'000);
}

}  // namespace
}  // namespace polyflake::lease
