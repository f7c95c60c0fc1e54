// Flushes that are slow, that fail, and those who come meanwhile: another thread, a signal handler of the same thread.
#include <polyflake/polyflake.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>

#include <signal.h>
#include <unistd.h>

#include "../core/copies.hpp"
#include "stopped_time.hpp"
#include "timed_waits.hpp"

namespace polyflake::test {
namespace {

class Flushes : public StoppedTime {
 protected:
  // No flush of the first file succeeds for it, so it takes another node id.
  void open_with_failing_flushes(Sibling& one) {
    one.fail_flushes_of(path(0));
    EXPECT_EQ(one.open("host"), "none");
    EXPECT_EQ(one.take(), "none");
    EXPECT_LE(one.calls_met(), 2U) << "once is enough to know";
  }
};

TEST_F(Flushes, slower_than_the_window_are_an_error_that_names_the_times) {
  Sibling one;
  ASSERT_EQ(one.open("host:0"), "none");
  ASSERT_EQ(one.take(), "none");
  one.make_flushes_slow(kBeyondAWindow);
  pass_time(kBeyondAWindow);
  for (int i = 0; i < 3; ++i) {
    const std::string failure = one.take();
    ASSERT_EQ(code_in(failure), "registry_unusable") << failure;
    EXPECT_NE(failure.find(" ms"), std::string::npos) << failure;
  }
  one.make_flushes_slow(0);
  const std::string failure = one.take();  // may be told of the last failure once more
  EXPECT_EQ(failure == "none" ? failure : one.take(), "none");
}

TEST_F(Flushes, slower_than_the_window_do_not_keep_a_renewal) {
  Sibling one;
  ASSERT_EQ(one.open("host:0"), "none");
  ASSERT_EQ(one.take(), "none");
  one.make_flushes_slow(kBeyondAWindow);
  EXPECT_EQ(code_in(one.renew()), "registry_unusable");
}

TEST_F(Flushes, of_one_file_that_fail_cost_one_node_id) {
  {
    Sibling first, second, third;  // so that 0, 1 and 2 are known, and free again
    for (Sibling* const sibling : {&first, &second, &third}) {
      ASSERT_EQ(sibling->open("host"), "none");
      ASSERT_EQ(sibling->take(), "none");
    }
    for (Sibling* const sibling : {&first, &second, &third}) sibling->end();
    pass_time(kBeyondAWindow);
  }
  Sibling one;
  open_with_failing_flushes(one);
  EXPECT_NE(one.worker(), "0");
  EXPECT_GT(one.calls_met(), 0U);
}

TEST_F(Flushes, of_the_first_file_of_a_folder_that_fail_cost_one_node_id) {
  Sibling one;
  open_with_failing_flushes(one);
  EXPECT_EQ(one.worker(), "1");
}

TEST_F(Flushes, that_begin_to_fail_cost_the_node_id_and_ids_flow_on) {
  Sibling one;
  ASSERT_EQ(one.open("host"), "none");
  ASSERT_EQ(one.take(), "none");
  one.fail_flushes_of(path(0));
  std::size_t failures = 0;
  for (int second = 0; second < 300; ++second) {
    pass_time(1);
    if (one.take() != "none") ++failures;
  }
  EXPECT_LE(failures, 2U);
  EXPECT_NE(one.worker(), "0");
  EXPECT_LE(one.calls_met(), 3U) << "and is not tried again and again";
}

std::string* g_calls = nullptr;
const char *g_nodes_path = "", *g_node_path = "";

int note_calls_on_files(const Call& call) {
  const bool on_nodes = concerns(call, g_nodes_path);
  if (!on_nodes && !concerns(call, g_node_path)) return 0;
  const char* const what = is(call, "flock")       ? "flock"
                           : is(call, "pwritev")   ? "write"
                           : is(call, "fdatasync") ? "flush"
                                                   : "";
  if (*what != 0) *g_calls += std::string(what) + (on_nodes ? " nodes, " : " 1, ");
  return 0;
}

// So that many who start at once wait for no flush of one another.
TEST_F(Flushes, of_a_node_id_that_was_never_used_come_when_nodes_is_unlocked) {
  prepare_node_ids(home.path(), "polyflake", 1);
  const std::string nodes = folder() + "/nodes", node = path(1);
  std::string calls;
  g_calls = &calls;
  g_nodes_path = nodes.c_str();
  g_node_path = node.c_str();
  on_calls(note_calls_on_files);
  const auto held = HostRegistry(home.path(), "polyflake").acquire(1);
  on_calls(nullptr);
  EXPECT_EQ(calls, "flock nodes, flock 1, write 1, write nodes, flock nodes, flush 1, flush nodes, flock nodes, ");
}

// --- those who come meanwhile ----------------------------------------------------------------------

Generator* g_generator = nullptr;
std::atomic<bool> g_flushing{false}, g_go_on{false};
std::string* g_said = nullptr;

std::string say_what_comes_of(const std::function<void()>& call) {
  const auto begin = std::chrono::steady_clock::now();
  const std::string said = code_in(error_of(call));
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  return said + (seconds.count() < 1 ? "" : ", after " + std::to_string(seconds.count()) + " s");
}

// For as long as the test likes.
int hold_up_flushes(const Call& call) {
  if (!is(call, "fdatasync")) return 0;
  g_flushing = true;
  while (!g_go_on) sleep_truly(1);
  return 0;
}

class DuringAFlush : public StoppedTime {
 protected:
  // In a copy of the process: a generator whose next id needs a flush.
  static std::string with_a_generator(const std::function<std::string(Generator&)>& work) {
    return in_copy(plain_fork, [&] {
      ::alarm(kSecondsToHang);
      Options options;
      options.worker = "host:0";
      auto* const generator = new Generator(options);
      generator->next_id();
      pass_time(kBeyondAWindow);
      return work(*generator);
    });
  }
};

TEST_F(DuringAFlush, others_wait_no_longer_than_was_agreed) {
  const std::string said = with_a_generator([](Generator& generator) {
    on_calls(hold_up_flushes);
    std::thread flusher([&] { generator.next_id(); });
    while (!g_flushing) std::this_thread::yield();
    std::string sayings = say_what_comes_of([&] { generator.next_id(); });
    sayings += " " + say_what_comes_of([&] {
                 if (generator.try_next_id()) std::abort();
               });
    g_go_on = true;
    flusher.join();
    return sayings + " " + say_what_comes_of([&] { generator.next_id(); });
  });
  EXPECT_EQ(said, "registry_unusable none none");
}

std::atomic<std::int64_t> g_flushed_ms{0};  // 100 ms after a flush began

// Those who wait for the flush pass its time; then it ends before they go on.
void pass_time_of_a_flush(std::int64_t ns) { clock_now_ms() < g_flushed_ms ? pass_time_ns(ns) : pass_beside_waits(ns); }

int hold_up_flushes_for_100_ms(const Call& call) {
  if (!is(call, "fdatasync")) return 0;
  g_flushed_ms = clock_now_ms() + 100;
  g_flushing = true;
  while (clock_now_ms() < g_flushed_ms) sleep_truly(1);
  return 0;
}

TEST_F(DuringAFlush, others_wait_for_it_where_it_opens_the_first_window) {
  const std::string said = in_copy(plain_fork, [&] {
    ::alarm(kSecondsToHang);
    let_sleepers_heed_timed_waits();
    let_sleepers_pass_time(pass_time_of_a_flush);
    Options options;
    options.worker = "host";  // of a new folder: begins in 2 s
    Generator generator(options);
    on_calls(hold_up_flushes_for_100_ms);
    std::thread flusher([&] { generator.next_id(); });
    while (!g_flushing) std::this_thread::yield();
    const std::string sayings = say_what_comes_of([&] { generator.next_id(); });
    flusher.join();
    return sayings;
  });
  EXPECT_EQ(said, "none");
}

int raise_in_flushes(const Call& call) {
  if (is(call, "fdatasync")) ::raise(SIGUSR1);
  return 0;
}

void ask_for_an_id(int) {
  *g_said = say_what_comes_of([] { g_generator->next_id(); });
}

TEST_F(DuringAFlush, a_signal_handler_that_asks_during_an_extension_is_told) {
  const std::string said = with_a_generator([](Generator& generator) {
    g_generator = &generator;
    g_said = new std::string("not asked");
    ::signal(SIGUSR1, ask_for_an_id);
    on_calls(raise_in_flushes);
    return say_what_comes_of([&] { generator.next_id(); }) + ", in the handler " + *g_said;
  });
  EXPECT_EQ(said, "none, in the handler registry_unusable");
}

}  // namespace
}  // namespace polyflake::test
