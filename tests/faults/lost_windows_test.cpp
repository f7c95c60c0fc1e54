// Node ids that are being given back or lost, and those who ask meanwhile.
#include <gtest/gtest.h>

#include <polyflake/polyflake.hpp>

#include <cerrno>
#include <functional>
#include <string>

#include <signal.h>
#include <unistd.h>

#include "../core/copies.hpp"
#include "stopped_time.hpp"

namespace polyflake::test {
namespace {

class LostWindows : public StoppedTime {};

Generator* g_losing = nullptr;
bool g_was_asked = false;

void ask_while_losing(int) {
  if (g_was_asked) return;
  g_was_asked = true;
  ::alarm(kSecondsToHang);  // ends a process that hangs
  error_of([] { g_losing->next_id(); });
  ::alarm(0);
}

int raise_in_unlocking(const Call& call) {
  if (is(call, "flock")) ::raise(SIGUSR1);
  return 0;
}
int raise_in_stats_of_files(const Call& call) {
  if (is(call, "stat") || is(call, "pread")) ::raise(SIGUSR1);
  return 0;
}
int fail_flushes(const Call& call) { return is(call, "fdatasync") ? EIO : 0; }
int fail_flushes_and_raise_in_unlocking(const Call& call) {
  return is(call, "fdatasync") ? EIO : raise_in_unlocking(call);
}

std::string ask_during(CallHandler handler, const std::function<void(Generator&)>& work) {
  return in_copy(plain_fork, [&] {
    Options options;
    options.worker = "host";
    static Generator generator(options);
    g_losing = &generator;
    generator.next_id();
    ::signal(SIGUSR1, ask_while_losing);
    on_calls(handler);
    error_of([&] { work(generator); });
    return std::string(g_was_asked ? "asked" : "not asked");
  });
}

TEST_F(LostWindows, answer_a_signal_handler_that_asks_while_they_are_given_back) {
  EXPECT_EQ(ask_during(raise_in_unlocking, [](Generator&) { release_all(); }), "asked");
  EXPECT_EQ(ask_during(raise_in_stats_of_files, [](Generator&) { release_all(); }), "asked");
}

TEST_F(LostWindows, answer_a_signal_handler_that_asks_while_they_are_lost) {
  EXPECT_EQ(ask_during(fail_flushes_and_raise_in_unlocking,
                       [](Generator& generator) {
                         pass_time(1);
                         generator.renew();
                       }),
            "asked");
}

// A registry guards the node id from the first attempt on, also where nothing came of it.
TEST_F(LostWindows, of_a_layout_at_its_end_are_an_error_for_a_number_beside_them) {
  const Layout layout("timestamp:31 worker:10 sequence:12 tick=1s epoch=2020-01-01T00:00:00.000Z");
  const std::int64_t end_ms = layout.epoch_ms() + (std::int64_t{1000} << 31);
  set_clock_forward((end_ms - clock_now_ms()) / 1000 - 4);
  {
    Sibling first(layout.text());
    ASSERT_EQ(first.open("host:0"), "none");
    ASSERT_EQ(first.take(0, 1), "none");
    pass_time(1);
    first.renew();
  }
  Sibling one(layout.text());
  ASSERT_EQ(code_in(one.open("host:0")), "time_exhausted");
  EXPECT_EQ(code_in(one.open("0")), "time_exhausted");
}

TEST_F(LostWindows, are_not_what_a_renewal_before_the_epoch_comes_to) {
  Sibling one;
  ASSERT_EQ(one.open("host"), "none");
  ASSERT_EQ(one.take(), "none");
  constexpr long kSixtyYears = 60L * 365 * 86400;
  set_clock_forward(-kSixtyYears);
  EXPECT_EQ(code_in(one.renew()), "clock_before_epoch");
  set_clock_forward(kSixtyYears);
  EXPECT_EQ(one.take(), "none");
  EXPECT_EQ(one.worker(), "0");
}

TEST_F(LostWindows, are_not_what_a_process_without_free_descriptors_comes_to_when_another_starts) {
  Sibling one, other;
  ASSERT_EQ(one.open("host"), "none");
  ASSERT_EQ(one.take(), "none");
  one.use_up_descriptors();
  ASSERT_EQ(other.open("host"), "none");
  pass_time(1);
  EXPECT_EQ(one.take(), "none") << "what is left of the window";
  for (const bool window_is_over : {false, true}) {
    if (window_is_over) pass_time(kBeyondAWindow);
    const std::string failure = window_is_over ? one.take() : one.renew();
    EXPECT_EQ(code_in(failure), "registry_unusable") << failure;
    EXPECT_NE(failure.find("Too many open files"), std::string::npos) << failure;
  }
  one.free_descriptors();
  EXPECT_EQ(one.take(), "none");
  EXPECT_EQ(one.worker(), "0");
}

constexpr const char* kSixteenATick = "timestamp:41 worker:18 sequence:4 tick=1ms epoch=2020-01-01T00:00:00.000Z";

class WindowsThatRanAhead : public StoppedTime {
 protected:
  void SetUp() override {
    ASSERT_EQ(one.open("host"), "none");
    ASSERT_EQ(one.take(), "none");
    const std::int64_t now_ms = clock_now_ms();
    while (Layout(kSixteenATick).unpack(one.ids().back()).time_ms < now_ms + 1500) ASSERT_EQ(one.take(), "none");
    last_ = one.ids().back();
  }
  void lose(std::uint64_t node) {
    one.fail_flushes_of(node_path(home.path(), kSixteenATick, node));
    set_clock_forward(1);
    EXPECT_EQ(code_in(one.renew()), "registry_unusable");
  }
  void expect_ids_above_on(const std::string& node) {
    ASSERT_EQ(one.take(0, 1), "none");
    EXPECT_EQ(one.worker(), node);
    EXPECT_GT(one.ids().back() >> 22, last_ >> 22) << "in a later tick";
  }

  static constexpr std::int64_t kLeadMs = 1900;
  Sibling one{kSixteenATick, kLeadMs};

 private:
  std::uint64_t last_ = 0;
};

TEST_F(WindowsThatRanAhead, are_followed_by_ids_above_theirs) {
  lose(0);
  expect_ids_above_on("1");
}

TEST_F(WindowsThatRanAhead, are_followed_by_ids_above_theirs_though_the_next_node_id_is_lost_unused) {
  lose(0);
  set_clock_forward(-5);
  ASSERT_EQ(code_in(one.take(0, 1)), "clock_behind");
  ASSERT_EQ(one.worker(), "1");
  set_clock_forward(4);
  lose(1);
  expect_ids_above_on("2");
}

TEST_F(LostWindows, discard_an_id_that_was_claimed_and_not_yet_due) {
  const std::string said = in_copy(plain_fork, [&] {
    Options options;
    options.worker = "host";
    options.layout = kSixteenATick;
    options.max_wait_ms = 100;
    Generator generator(options);
    generator.next_id();
    Claims claims(generator);
    std::int64_t claimed = 0;
    while (claimed >= 0) claimed = claims.claim();
    const auto id = static_cast<std::uint64_t>(~claimed);
    if (claims.wait_ns(id, 0) <= 0) return std::string("it is due");
    on_calls(fail_flushes);
    pass_time(1);
    error_of([&] { generator.renew(); });
    on_calls(nullptr);
    generator.next_id();
    return std::to_string(claims.wait_ns(id, 0));
  });
  EXPECT_EQ(said, "-1");
}

// A file that cannot be read for now is looked at again: it may hide a move.
TEST_F(LostWindows, are_what_a_move_comes_to_that_could_not_be_read_at_first) {
  Sibling one, other;
  ASSERT_EQ(one.open("host"), "none");
  ASSERT_EQ(one.take(), "none");
  ASSERT_EQ(other.open("host"), "none");
  std::string nodes = bytes_of(folder() + "/nodes");
  ASSERT_GT(nodes.size(), kSlotSize);
  overwrite(folder() + "/nodes", std::string(nodes.size(), '?'));
  one.use_up_descriptors();
  pass_time(kBeyondAWindow);
  EXPECT_NE(one.take().find("Too many open files"), std::string::npos);
  one.free_descriptors();
  const std::string failure = one.take();
  EXPECT_NE(failure.find("was moved or changed"), std::string::npos) << failure;
}

}  // namespace
}  // namespace polyflake::test
