// Folders that were away, and whom that concerns, by the true clock: it alone can be compared with the times of folders.
#include <gtest/gtest.h>

#include <polyflake/polyflake.hpp>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

#include "../core/copies.hpp"
#include "../core/fresh_home.hpp"
#include "locked_files.hpp"
#include "sibling.hpp"

namespace polyflake::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kOtherLayout = "leaf";

void sleep_ms(int ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); }

class Folders : public testing::Test {
 protected:
  // The first process in a new folder waits a window; these do not come first.
  Folders() {
    Sibling first;
    EXPECT_EQ(first.open("host"), "none");
    EXPECT_EQ(first.take(), "none");
    first.end();
    sleep_ms(300);  // beyond what a writer that is held up is allowed
  }

  std::string folder() const { return fs::path(node_path(home.path(), "polyflake", 0)).parent_path(); }

  // Puts it away for longer than a window, while another process comes and takes the node id of one that rests. Returns when
  // it came back, at the earliest.
  std::int64_t put_away(const std::string& folder, Sibling& meanwhile) const {
    fs::rename(folder, home.beside("away"));
    EXPECT_EQ(meanwhile.open("host"), "none");
    EXPECT_EQ(meanwhile.take(), "none");
    fs::remove_all(folder);
    const std::int64_t before_ms = SystemClock::read_ms();
    fs::rename(home.beside("away"), folder);
    return before_ms;
  }

  const FreshHome home;
};

TEST_F(Folders, that_were_away_are_seen_by_a_holder_though_a_node_id_was_made_since) {
  Sibling one, meanwhile, next;
  ASSERT_EQ(one.open("host"), "none");
  ASSERT_EQ(one.take(), "none");
  put_away(folder(), meanwhile);
  ASSERT_EQ(next.open("host"), "none");
  EXPECT_EQ(code_in(one.take()), "registry_unusable");
}

TEST_F(Folders, whose_home_was_away_are_seen_by_a_holder_though_another_layout_came_since) {
  Sibling one, meanwhile, next(kOtherLayout);
  ASSERT_EQ(one.open("host"), "none");
  ASSERT_EQ(one.take(), "none");
  put_away(home.path(), meanwhile);
  ASSERT_EQ(next.open("host"), "none");
  EXPECT_EQ(code_in(one.take()), "registry_unusable");
}

TEST_F(Folders, whose_home_was_away_are_waited_for_though_another_layout_came_since) {
  Sibling meanwhile, next(kOtherLayout), late;
  const std::int64_t returned_ms = put_away(home.path(), meanwhile);
  ASSERT_EQ(next.open("host"), "none");
  ASSERT_EQ(late.open("host"), "none");
  ASSERT_EQ(late.take(), "none");
  EXPECT_GE(Layout("polyflake").unpack(late.ids().front()).time_ms, returned_ms + 1500);
}

TEST_F(Folders, whose_home_was_away_are_waited_for_though_a_generator_on_a_manual_clock_came_since) {
  Sibling meanwhile, late;
  const std::int64_t returned_ms = put_away(home.path(), meanwhile);
  Options options;
  options.worker = "host";
  options.clock = std::make_shared<ManualClock>(returned_ms);
  Generator(options).close();
  ASSERT_EQ(late.open("host"), "none");
  ASSERT_EQ(late.take(), "none");
  EXPECT_GE(Layout("polyflake").unpack(late.ids().front()).time_ms, returned_ms + 1500);
}

// The times of files lag behind, and are taken for so much later: with the end of a tick in between, a window begins a tick
// later than elsewhere. Three attempts, since a pause of the machine makes one void.
TEST_F(Folders, made_at_the_end_of_a_second_are_waited_for_where_that_is_a_tick) {
  for (const char* const sequence : {"10", "11", "12"}) {
    Options options;
    options.worker = "host";
    options.layout =
        std::string("timestamp:31 worker:10 sequence:") + sequence + " tick=1s epoch=2020-01-01T00:00:00.000Z";
    const std::string said = in_copy(plain_fork, [&] {
      while (SystemClock::read_ms() % 1000 < 990) sleep_ms(1);
      Generator generator(options);
      return std::string(generator.try_next_id() ? "an id" : "not yet");
    });
    EXPECT_EQ(said, "not yet");
  }
}

// Within this time after `nodes` was written a change of the folder counts as the registry's own.
TEST_F(Folders, that_were_moved_half_a_second_after_nodes_was_written_are_waited_for) {
  Sibling one;
  ASSERT_EQ(one.open("host:7"), "none");
  sleep_ms(500);
  const std::int64_t moved_ms = SystemClock::read_ms();
  fs::rename(folder(), home.beside("away"));
  fs::rename(home.beside("away"), folder());
  const Layout layout("polyflake");
  const auto late = HostRegistry(home.path(), layout).acquire([](std::uint64_t) { return false; });
  EXPECT_GE(layout.time_of(late->start_tick()), moved_ms + 2000);
}

TEST_F(Folders, in_which_a_lower_node_id_was_made_make_nobody_wait) {
  for (const char* const worker : {"host:7", "host:3"}) {
    Sibling one;
    ASSERT_EQ(one.open(worker), "none");
    ASSERT_EQ(one.take(), "none");
    one.end();
    sleep_ms(300);
  }
  {
    const Layout layout("polyflake");
    const auto late = HostRegistry(home.path(), layout).acquire([](std::uint64_t) { return false; });
    EXPECT_LE(layout.time_of(late->start_tick()), SystemClock::read_ms());
  }
  Sibling late;
  ASSERT_EQ(late.open("host"), "none");
  ASSERT_EQ(late.take(), "none");
}

// A generator that was opened here, there, and here again holds the lock of this folder.
TEST_F(Folders, in_turn_give_generators_under_the_lock_of_the_current_one) {
  const std::string there = home.beside("there");
  const std::string said = in_copy(plain_fork, [&] {
    Options options;
    options.worker = "host";
    for (const std::string& folder : {home.path(), there}) {
      ::setenv("POLYFLAKE_HOME", folder.c_str(), 1);
      Generator(options).close();
    }
    ::setenv("POLYFLAKE_HOME", home.path().c_str(), 1);
    const Generator generator(options);
    return std::string(is_locked(node_path(home.path(), "polyflake", generator.worker())) ? "locked" : "free");
  });
  EXPECT_EQ(said, "locked");
}

}  // namespace
}  // namespace polyflake::test
