// What happened to a node file or its folder while nobody looked: a mark that went back is seen where that costs nothing.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <string>
#include <thread>
#include <utility>

#include "../core/copies.hpp"
#include "../core/node_files.hpp"
#include "sibling.hpp"
#include "stopped_time.hpp"

namespace polyflake::test {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kLongestLeadMs = 1998;
constexpr std::size_t kMany = 4000;

class Marks : public StoppedTime {
 protected:
  // Issues for a while, as far ahead of the clock as it may, and is killed.
  void issue_and_die(Sibling& one) {
    for (int second = 0; second < 4; ++second) {
      ASSERT_EQ(one.take(0, kMany), "none");
      pass_time(1);
    }
    for (int i = 0; i < 10; ++i) one.take(0, kMany);
    one.kill();
  }
  void expect_no_duplicates(const Sibling& one, const Sibling& successor) const {
    EXPECT_EQ(duplicates_of({&one, &successor}).size(), 0U);
  }
  void damage_the_newer_slot() const {
    std::string bytes = bytes_of(path(0));
    const bool second = number_in(bytes.substr(kSlotOffsets[1], kSlotSize), "count") >
                        number_in(bytes.substr(kSlotOffsets[0], kSlotSize), "count");
    bytes[kSlotOffsets[second ? 1 : 0] + 30] = '?';
    overwrite(path(0), bytes);
  }
};

TEST_F(Marks, that_a_damaged_slot_hides_are_waited_out) {
  for (const long clock_goes_by : {0L, -1L}) {
    Sibling one, successor;
    ASSERT_EQ(one.open("host:0"), "none");
    issue_and_die(one);
    damage_the_newer_slot();
    set_clock_forward(clock_goes_by);
    EXPECT_EQ(successor.open("host:0"), "none");
    successor.take(0, kMany);
    expect_no_duplicates(one, successor);
    successor.kill();
    pass_time(10);
  }
}

TEST_F(Marks, of_both_slots_damaged_are_an_error_that_says_what_to_do) {
  Sibling one, successor;
  ASSERT_EQ(one.open("host:0"), "none");
  issue_and_die(one);
  overwrite(path(0), std::string(kSlotOffsets[1] + kSlotSize, '?'));
  const std::string failure = successor.open("host:0");
  EXPECT_EQ(code_in(failure), "registry_unusable");
  EXPECT_NE(failure.find(path(0)), std::string::npos) << failure;
  EXPECT_NE(failure.find("Remove the file"), std::string::npos) << failure;
}

TEST_F(Marks, of_a_folder_that_was_away_for_less_than_a_window_hold) {
  Sibling one, meanwhile, late;
  ASSERT_EQ(one.open("host"), "none");
  ASSERT_EQ(one.take(), "none");
  fs::rename(home.path(), home.beside("away"));
  ASSERT_EQ(meanwhile.open("host"), "none");
  fs::remove_all(home.path());
  fs::rename(home.beside("away"), home.path());
  EXPECT_EQ(late.open("host"), "none");
  for (int second = 0; second < 8; ++second) {
    for (Sibling* const sibling : {&one, &meanwhile, &late}) sibling->take();
    pass_time(1);
  }
  EXPECT_EQ(duplicates_of({&one, &meanwhile, &late}).size(), 0U);
}

// A limit, and how far it goes.
TEST_F(Marks, of_a_folder_that_was_away_for_long_hold_again_one_window_after_its_return) {
  std::size_t in_the_window = 0;
  for (int seconds = 5; seconds < 9; ++seconds) {
    Sibling one, meanwhile, late;
    const auto take_all = [&] {
      for (Sibling* const sibling : {&one, &meanwhile, &late}) sibling->take();
    };
    ASSERT_EQ(one.open("host"), "none");
    ASSERT_EQ(one.take(), "none");
    fs::rename(home.path(), home.beside("away"));
    ASSERT_EQ(meanwhile.open("host"), "none");
    for (int second = 0; second < seconds; ++second, pass_time(1)) take_all();
    fs::remove_all(home.path());
    fs::rename(home.beside("away"), home.path());
    const std::int64_t returned_ms = clock_now_ms();
    EXPECT_EQ(late.open("host"), "none");
    for (int second = 0; second < 8; ++second, pass_time(1)) take_all();
    for (const std::uint64_t id : duplicates_of({&one, &meanwhile, &late})) {
      ++in_the_window;
      EXPECT_LT(Layout("polyflake").unpack(id).time_ms, returned_ms + kWindow * 1000);
    }
    for (Sibling* const sibling : {&one, &meanwhile, &late}) sibling->kill();
    fs::remove_all(home.path());
    pass_time(10);
  }
  std::printf("%zu ids twice in the window after the return\n", in_the_window);
}

// The file system's clock cannot be moved, so these have the true one.
TEST(RestoredMarks, of_a_backup_put_back_in_place_are_waited_out) {
  const FreshHome home;
  const Layout layout("timestamp:41 worker:18 sequence:4 tick=1ms epoch=2020-01-01T00:00:00.000Z");  // soon far ahead
  Sibling one(layout.text(), kLongestLeadMs), successor(layout.text(), kLongestLeadMs);
  ASSERT_EQ(one.open("host:0"), "none");
  ASSERT_EQ(one.take(), "none");
  const std::string file = node_path(home.path(), layout, 0), backup = bytes_of(file);
  for (int i = 0; i < 50; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    ASSERT_EQ(one.take(), "none");
  }
  for (int i = 0; i < 8; ++i) one.take(0, kMany);
  one.kill();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  overwrite(file, backup);
  EXPECT_EQ(successor.open("host:0"), "none");
  for (int i = 0; i < 8; ++i) successor.take(0, kMany);
  EXPECT_EQ(duplicates_of({&one, &successor}).size(), 0U);
}

// A change of the file counts as its holder's own for a moment after the write.
TEST(RestoredMarks, of_a_backup_that_is_half_a_second_old_are_waited_out) {
  const FreshHome home;
  const Layout layout("polyflake");
  prepare_node_ids(home.path(), layout, 1);
  const std::string file = node_path(home.path(), layout, 0);
  std::string backup;
  std::uint64_t mark = 0;
  {
    const auto one = HostRegistry(home.path(), layout).acquire(0);
    backup = bytes_of(file);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    Grant grant(one->start_tick(), one->until_tick(), 12);
    ASSERT_EQ(one->extend(grant, 0), Extension::done);
    mark = one->until_tick();
    ASSERT_GT(mark, layout.tick_at(mark_in(file)) - 1);
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(450));
  overwrite(file, backup);
  EXPECT_GE(HostRegistry(home.path(), layout).acquire(0)->start_tick(), mark);
}

// --- on the way to a first record ------------------------------------------------------------------

Sibling* g_other = nullptr;
std::string *g_nodes = nullptr, *g_five = nullptr;
std::int64_t g_mark_ms = 0;

// Another process makes the file of the node id that is looked for, and dies before it notes that in `nodes`.
int let_another_die(const Call& call) {
  if (g_other == nullptr || !is(call, "open") || !concerns(call, g_nodes->c_str())) return 0;
  Sibling& other = *std::exchange(g_other, nullptr);
  EXPECT_EQ(other.open("host:5"), "hangs") << "it is dead";
  other.kill();  // now its lock is gone, too
  g_mark_ms = mark_in(*g_five);
  return 0;
}

TEST_F(Marks, of_a_process_that_died_before_it_noted_its_node_id_hold) {
  prepare_node_ids(home.path(), "polyflake", 1);
  pass_time(kBeyondAWindow);
  Sibling other;
  std::string nodes = folder() + "/nodes", five = path(5);
  other.die_in_writing(nodes);
  g_other = &other;
  g_nodes = &nodes;
  g_five = &five;
  on_calls(let_another_die);
  const Layout layout("polyflake");
  const auto late = HostRegistry(home.path(), layout).acquire(5);
  on_calls(nullptr);
  ASSERT_EQ(g_other, nullptr) << "nobody died: the test is void";
  ASSERT_GT(g_mark_ms, clock_now_ms());
  EXPECT_GE(layout.time_of(late->start_tick()), g_mark_ms);
}

}  // namespace
}  // namespace polyflake::test
