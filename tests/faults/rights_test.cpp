// Within a process a node id has the strongest right that was asked for: a number beside `host:0` issues under the
// registry's mark, and neither goes on when that right is lost.
#include <gtest/gtest.h>

#include <filesystem>
#include <ostream>
#include <string>

#include "locked_files.hpp"
#include "stopped_time.hpp"

namespace polyflake::test {
namespace {

const Layout kLayout = "polyflake";

struct Order {
  const char* name;
  std::string first, second;
};

void PrintTo(const Order& order, std::ostream* out) { *out << order.name; }

class SharedRights : public StoppedTime, public testing::WithParamInterface<Order> {
 protected:
  void open_both() {
    ASSERT_EQ(one.open(GetParam().first), "none");
    ASSERT_EQ(one.open(GetParam().second), "none");
    take_both();
  }
  void take_both() {
    one.take(0);
    one.take(1);
  }
  // Both go on as well as they can, while another process holds what was theirs if it gets it.
  void go_on_beside_another() {
    for (int second = 0; second < 10; ++second) {
      take_both();
      if (!other_is_open_) other_is_open_ = other.open("host:0") == "none";
      if (other_is_open_) other.take();
      take_both();
      pass_time(1);
    }
  }
  void expect_no_duplicates() const { EXPECT_EQ(duplicates_of({&one, &other}).size(), 0U); }

  Sibling one, other;

 private:
  bool other_is_open_ = false;
};

TEST_P(SharedRights, are_under_the_mark_whoever_issues) {
  open_both();
  for (int second = 0; second < 10; ++second) {
    take_both();
    const std::int64_t last_ms = kLayout.unpack(one.ids().back()).time_ms;
    EXPECT_GT(mark_in(path(0)), last_ms);
    EXPECT_TRUE(is_locked(path(0)));
    pass_time(1);
  }
}

TEST_P(SharedRights, end_for_both_when_the_file_is_replaced) {
  open_both();
  std::filesystem::remove(path(0));
  pass_time(kBeyondAWindow);
  go_on_beside_another();
  expect_no_duplicates();
}

TEST_P(SharedRights, end_for_both_when_a_flush_fails) {
  open_both();
  one.fail_flushes_of(path(0));
  pass_time(kBeyondAWindow);
  take_both();
  one.fail_flushes_of("");
  go_on_beside_another();
  expect_no_duplicates();
}

INSTANTIATE_TEST_SUITE_P(All, SharedRights,
                         testing::Values(Order{"number_first", "0", "host:0"}, Order{"host_first", "host:0", "0"}),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace polyflake::test
