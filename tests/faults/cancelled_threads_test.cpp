// Threads that pthread_cancel ends in the middle of a call: the call comes to its end first, and the process goes on.
#include <polyflake/polyflake.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <string>

#include <pthread.h>
#include <unistd.h>

#include "../core/copies.hpp"
#include "../core/expect_error.hpp"
#include "stopped_time.hpp"

namespace polyflake::test {
namespace {

const char* g_call_held = "";
std::atomic<bool> g_held{false}, g_release{false};

// For as long as the test likes, and in what a thread can be cancelled at.
int hold_up(const Call& call) {
  if (!is(call, g_call_held)) return 0;
  g_held = true;
  while (!g_release) sleep_truly(1);
  return 0;
}

using Work = std::function<void()>;

void* run(void* work) {
  (*static_cast<Work*>(work))();
  ::pthread_testcancel();
  return nullptr;
}

class CancelledThreads : public StoppedTime {
 protected:
  // In a copy of the process. prepare: gives what the thread does, which is cancelled in its first call of this name.
  static std::string cancel_in(const char* call, const std::function<Work()>& prepare) {
    return in_copy(plain_fork, [&] {
      ::alarm(kSecondsToHang);
      Work work = prepare();
      g_call_held = call;
      on_calls(hold_up);
      pthread_t thread;
      ::pthread_create(&thread, nullptr, run, &work);
      while (!g_held) sleep_truly(1);
      ::pthread_cancel(thread);
      sleep_truly(20);
      g_release = true;
      void* result = nullptr;
      ::pthread_join(thread, &result);
      on_calls(nullptr);
      return std::string(result == PTHREAD_CANCELED ? "cancelled, " : "not cancelled, ") +
             code_in(error_of([] { opened().next_id(); }));
    });
  }

  static Generator& opened(const std::string& worker = "host:0") {
    Options options;
    options.worker = worker;
    return *new Generator(options);
  }
  // Whose next id needs a flush.
  static Generator& at_the_end_of_its_window() {
    Generator& generator = opened();
    generator.next_id();
    pass_time(kBeyondAWindow);
    return generator;
  }
  static Work next_id_that_needs_a_flush() {
    Generator& generator = at_the_end_of_its_window();
    return [&] { generator.next_id(); };
  }
};

constexpr const char* kWell = "cancelled, none";

TEST_F(CancelledThreads, end_after_the_flush_of_a_window) {
  EXPECT_EQ(cancel_in("fdatasync", next_id_that_needs_a_flush), kWell);
}

TEST_F(CancelledThreads, end_after_the_look_that_precedes_it) {
  EXPECT_EQ(cancel_in("pread", next_id_that_needs_a_flush), kWell);
}

TEST_F(CancelledThreads, end_after_a_renewal) {
  EXPECT_EQ(cancel_in("fdatasync",
                      [] {
                        Generator& generator = at_the_end_of_its_window();
                        return Work([&] { generator.renew(); });
                      }),
            kWell);
}

TEST_F(CancelledThreads, end_after_an_opening) {
  for (const char* const call : {"open", "pread", "pwritev", "fdatasync"}) {
    EXPECT_EQ(cancel_in(call, [] { return Work([] { opened(); }); }), kWell) << call;
  }
}

TEST_F(CancelledThreads, end_after_node_ids_are_given_back) {
  for (const char* const call : {"pwritev", "close"}) {
    EXPECT_EQ(cancel_in(call,
                        [] {
                          at_the_end_of_its_window();
                          return Work([] { release_all(); });
                        }),
              "cancelled, generator_closed")
        << call;
  }
}

TEST_F(CancelledThreads, end_after_a_generator_on_a_manual_clock_was_closed) {
  EXPECT_EQ(cancel_in("pwritev",
                      [] {
                        Options options;
                        options.worker = "host:0";
                        options.clock = std::make_shared<ManualClock>(clock_now_ms());
                        auto* const generator = new Generator(options);
                        generator->next_id();
                        return Work([=] { delete generator; });
                      }),
            kWell);
}

TEST_F(CancelledThreads, end_after_waiting_for_the_opening_of_another) {
  EXPECT_EQ(in_copy(plain_fork,
                    [&] {
                      ::alarm(kSecondsToHang);
                      go_by_the_true_clock();
                      g_call_held = "fdatasync";
                      on_calls(hold_up);
                      Work open = [] { opened(); };
                      pthread_t first, second;
                      ::pthread_create(&first, nullptr, run, &open);
                      while (!g_held) sleep_truly(1);
                      ::pthread_create(&second, nullptr, run, &open);
                      sleep_truly(20);
                      ::pthread_cancel(second);
                      sleep_truly(20);
                      g_release = true;
                      void* result = nullptr;
                      ::pthread_join(first, nullptr);
                      ::pthread_join(second, &result);
                      return std::string(result == PTHREAD_CANCELED ? "cancelled" : "not cancelled");
                    }),
            "cancelled");
}

}  // namespace
}  // namespace polyflake::test
