// Segments in copies of the process: they take ranges of their own, and leave the original's alone.
#include <polyflake/counters.hpp>
#include <polyflake/host_store.hpp>
#include <polyflake/memory_store.hpp>
#include <polyflake/namespaces.hpp>
#include <polyflake/segment.hpp>

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "copies.hpp"
#include "fresh_home.hpp"

namespace polyflake::test {
namespace {

TEST(Copies, of_a_segment_take_ranges_of_their_own) {
  const FreshHome home;
  HostStore store(home.path(), "shop");
  init_namespace(store, "polyflake");
  init_counter(store, "orders", 0);
  Segment ids(store, {"orders", 10});
  std::set<std::string> numbers = {ids.next_id_string()};
  const auto next = [&] { return ids.next_id_string(); };
  for (const Fork fork : kForksBesideThreads) {
    EXPECT_TRUE(numbers.insert(in_copy(fork, next)).second);
    EXPECT_TRUE(numbers.insert(in_copy(fork, [&] { return std::to_string(ids.next_ids(3)[2]); })).second);
    EXPECT_TRUE(numbers
                    .insert(in_copy(fork,
                                    [&] {
                                      ids.close();
                                      return std::string(ids.closed() ? "closed" : "open") +
                                             std::to_string(numbers.size());
                                    }))
                    .second);
    EXPECT_TRUE(numbers.insert(next()).second);
  }
  for (const std::string& number : numbers) EXPECT_EQ(number.find("_"), std::string::npos) << number;
  EXPECT_EQ(ids.stats().fetches, 1U) << "the original holds its range";
}

TEST(Copies, of_a_segment_on_a_store_in_memory_are_refused) {
  MemoryStore store;
  init_namespace(store, "polyflake");
  init_counter(store, "orders", 0);
  Segment ids(store, {"orders", 10});
  ids.next_id();
  for (const Fork fork : kForksBesideThreads) {
    EXPECT_EQ(code_in(in_copy(fork, [&] { return ids.next_id_string(); })), "store_unavailable");
  }
  EXPECT_EQ(ids.next_id(), 2U);
}

}  // namespace
}  // namespace polyflake::test
