// Changes of the registry within the second of the last write to it, on file systems that record whole seconds or every
// second one: ext4 with inodes of 128 bytes, HFS+, FAT. By the true clock, for the times of files are the file system's.
#include <gtest/gtest.h>

#include <polyflake/polyflake.hpp>

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "../core/copies.hpp"
#include "../core/fresh_home.hpp"
#include "../core/node_files.hpp"
#include "../core/stores_in_trouble.hpp"
#include "sibling.hpp"

namespace polyflake::test {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kLongestLeadMs = 1998;
constexpr std::size_t kMany = 4000;
constexpr int kBeyondTheAllowanceMs = 300;
const Layout kNarrow("timestamp:41 worker:18 sequence:4 tick=1ms epoch=2020-01-01T00:00:00.000Z");  // soon far ahead

class WholeSeconds : public testing::TestWithParam<unsigned> {
 protected:
  ~WholeSeconds() override { record_file_times_in(0); }

  // A second begins as the file system records it.
  static void wait_for_a_second() {
    while (SystemClock::read_ms() % (1000 * GetParam()) > 50) sleep_truly(5);
  }

  static std::unique_ptr<Sibling> start(const std::string& folder) {
    ::setenv("POLYFLAKE_HOME", folder.c_str(), 1);
    return std::make_unique<Sibling>(kNarrow.text(), kLongestLeadMs);
  }

  // The first process that sees whole seconds, and waits for them.
  std::unique_ptr<Sibling> start_late() const {
    record_file_times_in(GetParam());
    return start(home.path());
  }
  void expect_no_duplicates(const Sibling& holder) const {
    const auto starter = start_late();
    ASSERT_EQ(starter->open("host:0"), "none");
    run_ahead(*starter);
    EXPECT_FALSE(starter->ids().empty());
    EXPECT_EQ(duplicates_of({&holder, starter.get()}).size(), 0U);
  }

  static void run_ahead(Sibling& one) {
    for (int i = 0; i < 10; ++i) one.take(0, kMany);
  }

  // A folder whose first windows are long over, and a holder there that has run ahead.
  std::unique_ptr<Sibling> hold_a_node_id() const {
    prepare_node_ids(home.path(), kNarrow, 1);
    auto holder = start(home.path());
    EXPECT_EQ(holder->open("host:0"), "none");
    EXPECT_EQ(holder->take(), "none");
    return holder;
  }

  // Another folder takes the place of the one in use, in the second in which it was written to.
  void expect_no_duplicates_after_a_move(const std::function<void(const std::string&)>& write) const {
    const auto holder = hold_a_node_id();
    const std::string other = home.beside("other");
    prepare_node_ids(other, kNarrow, 1);
    sleep_truly(kBeyondTheAllowanceMs);
    wait_for_a_second();
    write(other);
    sleep_truly(kBeyondTheAllowanceMs);
    run_ahead(*holder);
    fs::rename(home.path(), home.beside("away"));
    fs::rename(other, home.path());
    expect_no_duplicates(*holder);
  }

  const FreshHome home;
};

TEST_P(WholeSeconds, do_not_hide_a_folder_that_took_the_place_of_another) {
  expect_no_duplicates_after_a_move([](const std::string& other) { EXPECT_EQ(start(other)->open("host:1"), "none"); });
}

TEST_P(WholeSeconds, do_not_hide_a_home_that_took_the_place_of_another_just_after_a_layout_came) {
  expect_no_duplicates_after_a_move([](const std::string& other) { prepare_node_ids(other, "leaf", 1); });
}

TEST_P(WholeSeconds, do_not_hide_that_a_node_id_has_an_older_mark_again) {
  const auto holder = hold_a_node_id();
  const std::string file = node_path(home.path(), kNarrow, 0);
  wait_for_a_second();
  ASSERT_EQ(holder->renew(), "none");
  const std::string backup = bytes_of(file);
  sleep_truly(kBeyondTheAllowanceMs);
  ASSERT_EQ(holder->renew(), "none");
  run_ahead(*holder);
  holder->kill();
  overwrite(file, backup);
  expect_no_duplicates(*holder);
}

TEST_P(WholeSeconds, make_nobody_wait_for_long) {
  hold_a_node_id()->end();
  sleep_truly(4100);
  record_file_times_in(GetParam());
  const auto late = HostRegistry(home.path(), kNarrow).acquire(0);
  EXPECT_LE(kNarrow.time_of(late->start_tick()), SystemClock::read_ms());
}

// In a store of a folder, of which one node id was put back.
TEST_P(WholeSeconds, do_not_hide_that_the_node_id_of_a_store_has_an_older_record_again) {
  const auto store = std::make_shared<HostStore>(home.path(), "orders");
  const Options options = on(store);
  wait_for_a_second();
  Generator(options).close();
  const std::string file = home.path() + "/orders/0", backup = bytes_of(file);
  sleep_truly(kBeyondTheAllowanceMs);
  Sibling holder(options);
  ASSERT_EQ(holder.open(), "none");
  ASSERT_EQ(holder.take(), "none");
  ASSERT_EQ(holder.worker(), "0");
  overwrite(file, backup);
  record_file_times_in(GetParam());
  Sibling starter(options);
  ASSERT_EQ(starter.open(), "none");
  ASSERT_EQ(starter.take(), "none");
  EXPECT_EQ(duplicates_of({&holder, &starter}).size(), 0U);
  EXPECT_NE(starter.worker(), "0");
}

INSTANTIATE_TEST_SUITE_P(OfFiles, WholeSeconds, testing::Values(1U, 2U));

}  // namespace
}  // namespace polyflake::test
