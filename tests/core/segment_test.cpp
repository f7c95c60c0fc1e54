// Segment: numbers of a counter in a store in memory, in a folder of this host, and in one that fails.
#include <polyflake/counters.hpp>
#include <polyflake/host_store.hpp>
#include <polyflake/memory_store.hpp>
#include <polyflake/namespaces.hpp>
#include <polyflake/segment.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "expect_error.hpp"
#include "fresh_home.hpp"
#include "together.hpp"

namespace polyflake::test {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// A store in memory that counts its calls, and can be slow, away or stopped.
class TestStore final : public CounterStore {
 public:
  explicit TestStore(std::uint64_t after = 0) {
    init_namespace(memory_, "polyflake");
    init_counter(memory_, "orders", after);
  }

  count::Contents read_counter(const std::string& name) override {
    ++reads;
    return memory_.read_counter(pass(name));
  }
  count::Names counter_names() override { return memory_.counter_names(); }
  count::Answer add(const count::Add& request) override {
    ++adds;
    last_n = request.n;
    pass("");
    const count::Answer answer = memory_.add(request);
    if (forgets.exchange(false)) throw std::runtime_error("the answer was lost");
    return answer;
  }
  count::Answer write_head(const count::WriteHead& request) override {
    pass("");
    return memory_.write_head(request);
  }
  count::Answer back(const count::Back& request) override {
    ++backs;
    pass("");
    return memory_.back(request);
  }

  std::uint64_t next() { return memory_.read_counter("orders").record.value().next; }
  void raise(std::uint64_t after) { raise_counter(memory_, "orders", after); }

  std::atomic<int> adds{0}, backs{0};
  std::atomic<std::uint64_t> last_n{0};
  std::atomic<bool> away{false}, forgets{false};
  std::atomic<int> delay_ms{0};
  std::string reason = "no way to the store";  // set before `away`
  std::atomic<int> reads{0};

 private:
  const std::string& pass(const std::string& name) const {
    if (away) throw std::runtime_error(reason);
    std::this_thread::sleep_for(milliseconds(delay_ms));
    return name;
  }

  MemoryStore memory_;
};

SegmentOptions orders(std::optional<std::uint64_t> step = std::nullopt) {
  SegmentOptions options;
  options.name = "orders";
  options.step = step;
  options.timeout_ms = 60'000;  // a busy machine may be slow
  return options;
}

// The next number, once the store can be had again.
std::uint64_t next_in_time(Segment& ids) {
  const auto deadline = steady_clock::now() + std::chrono::seconds(20);
  std::uint64_t id = 0;
  while (id == 0 && steady_clock::now() < deadline) {
    if (error_of([&] { id = ids.next_id(); }) != "none") std::this_thread::sleep_for(milliseconds(5));
  }
  return id;
}

TEST(Segments, give_the_numbers_of_a_counter_one_after_the_other) {
  TestStore store(41);
  Segment ids(store, orders());
  EXPECT_EQ(store.adds, 0) << "opening takes nothing";
  for (std::uint64_t expected = 42; expected < 2000; ++expected) ASSERT_EQ(ids.next_id(), expected);
  EXPECT_LT(store.adds, 20);
  EXPECT_EQ(ids.next_id_string(), "2000");
  EXPECT_STREQ(ids.kind(), "segment");
}

TEST(Segments, of_two_sources_share_a_counter) {
  TestStore store;
  Segment one(store, orders(10)), other(store, orders(10));
  std::vector<Ids> ids(2);
  for (int i = 0; i < 1000; ++i) {
    ids[0].push_back(one.next_id());
    ids[1].push_back(other.next_id());
  }
  EXPECT_EQ(expect_unique(ids), 2000U);
}

TEST(Segments, give_batches_that_rise) {
  TestStore store;
  Segment ids(store, orders(10));
  const std::vector<std::uint64_t> batch = ids.next_ids(1000);
  for (std::size_t i = 0; i < batch.size(); ++i) ASSERT_EQ(batch[i], i + 1);
  EXPECT_LT(store.adds, 10) << "a fetch is for all that are asked for";
  EXPECT_TRUE(ids.next_ids(0).empty());
  unsigned char bytes[3 * 8 + 1];
  ids.fill_bytes(bytes + 1, 3);
  std::uint64_t second = 0;
  std::memcpy(&second, bytes + 9, sizeof second);
  EXPECT_EQ(second, 1002U);
}

TEST(Segments, with_a_step_of_1_leave_no_gaps) {
  TestStore store;
  Segment one(store, orders(1)), other(store, orders(1));
  for (std::uint64_t expected = 1; expected < 500; expected += 2) {
    ASSERT_EQ(one.next_id(), expected);
    ASSERT_EQ(other.next_id(), expected + 1);
  }
  EXPECT_EQ(store.adds, 500);
  EXPECT_EQ(one.stats().held, 0U);
}

TEST(Segments, try_only_what_is_held) {
  TestStore store;
  store.delay_ms = 20;
  Segment ids(store, orders(10));
  EXPECT_EQ(ids.try_next_id(), std::nullopt);
  std::optional<std::uint64_t> id;
  const auto deadline = steady_clock::now() + std::chrono::seconds(20);
  while (!(id = ids.try_next_id()) && steady_clock::now() < deadline) std::this_thread::yield();
  EXPECT_EQ(id, 1U) << "the try asked for it";
  for (std::uint64_t expected = 2; expected <= 10; ++expected) ASSERT_EQ(ids.try_next_id(), expected);
}

TEST(Segments, that_are_idle_fetch_nothing) {
  TestStore store;
  Segment ids(store, orders(10));
  ids.next_id();
  std::this_thread::sleep_for(milliseconds(50));
  EXPECT_EQ(store.adds, 1);
}

TEST(Segments, fetch_the_next_range_when_less_than_half_a_step_is_left) {
  TestStore store;
  Segment ids(store, orders(100));
  for (std::uint64_t expected = 1; expected <= 50; ++expected) ASSERT_EQ(ids.next_id(), expected);
  std::this_thread::sleep_for(milliseconds(20));
  EXPECT_EQ(store.adds, 1);
  EXPECT_EQ(ids.next_id(), 51U);
  const auto deadline = steady_clock::now() + std::chrono::seconds(20);
  while (ids.stats().fetches < 2 && steady_clock::now() < deadline) std::this_thread::yield();
  EXPECT_EQ(ids.stats().held, 149U) << "the rest of one range, and one ahead of need";
}

// --- closing -----------------------------------------------------------------------------------------

TEST(Closing, gives_back_what_is_left) {
  TestStore store;
  for (int restart = 0; restart < 10; ++restart) {
    Segment ids(store, orders(50));
    for (int i = 0; i < 30; ++i) ASSERT_EQ(ids.next_id(), static_cast<std::uint64_t>(restart * 30 + i + 1));
    ids.close();
    EXPECT_TRUE(ids.closed());
    // On a busy machine close() may not see the end of it.
    const auto deadline = steady_clock::now() + std::chrono::seconds(20);
    const auto free = static_cast<std::uint64_t>(restart * 30 + 31);
    while (store.next() != free && steady_clock::now() < deadline) std::this_thread::yield();
    ASSERT_EQ(store.next(), free);
  }
  EXPECT_EQ(store.backs, 10);
}

TEST(Closing, refuses_calls_from_then_on) {
  TestStore store;
  Segment ids(store, orders(10));
  ids.next_id();
  ids.close();
  ids.close();
  EXPECT_ERROR(ids.next_id(), generator_closed);
  EXPECT_ERROR(ids.try_next_id(), generator_closed);
  EXPECT_ERROR(ids.next_ids(2), generator_closed);
  EXPECT_ERROR(ids.next_ids(0), generator_closed);
  const auto deadline = steady_clock::now() + std::chrono::seconds(20);
  while (store.backs == 0 && steady_clock::now() < deadline) std::this_thread::yield();
  EXPECT_EQ(store.backs, 1);
}

TEST(Closing, ends_waiting_calls) {
  TestStore store;
  Segment ids(store, orders(10));
  store.away = true;
  const auto raised = together(2, [&](int thread, Ids& mine) {
    if (thread == 0) {
      const std::string failure = error_of([&] { ids.next_id(); });
      mine.push_back(code_in(failure) == "generator_closed" ? 1 : 0);
    } else {
      std::this_thread::sleep_for(milliseconds(20));
      ids.close();
    }
  });
  EXPECT_EQ(raised[0], Ids{1});
}

TEST(Closing, races_threads_and_nothing_that_was_given_back_is_issued) {
  TestStore store;
  std::vector<Ids> all;
  for (std::size_t round = 0; round < scaled(300); ++round) {
    Segment ids(store, orders(20));
    auto issued = together(3, [&](int thread, Ids& mine) {
      if (thread == 0) {
        for (std::size_t i = 0; i < round % 9; ++i) std::this_thread::yield();
        return ids.close();
      }
      const std::string failure = error_of([&] {
        for (;;) mine.push_back(ids.next_id());
      });
      EXPECT_EQ(code_in(failure), "generator_closed");
    });
    all.insert(all.end(), issued.begin(), issued.end());
  }
  expect_unique(all);
}

// --- stores that fail ----------------------------------------------------------------------------------

TEST(Stores, that_are_away_are_bridged_by_what_is_held_and_waited_for_no_longer_than_asked) {
  TestStore store;
  SegmentOptions options = orders(100);
  options.timeout_ms = 60;
  Segment ids(store, options);
  ids.next_id();
  store.away = true;
  const std::uint64_t held = ids.stats().held;
  EXPECT_GE(held, 99U);
  for (std::uint64_t i = 0; i < held; ++i) ids.next_id();
  const auto began = steady_clock::now();
  EXPECT_ERROR(ids.next_id(), store_unavailable);
  const auto waited = steady_clock::now() - began;
  EXPECT_GE(waited, milliseconds(60));
  EXPECT_LT(waited, std::chrono::seconds(30));
  EXPECT_GT(ids.stats().store_failures, 0U);
  store.away = false;
  EXPECT_EQ(next_in_time(ids), 102U) << "a call that fails drops at most one number";
}

TEST(Stores, that_fail_without_a_word_are_away_and_not_asked_without_a_pause) {
  TestStore store;
  SegmentOptions options = orders(10);
  options.timeout_ms = 60;
  Segment ids(store, options);
  store.reason = "";
  store.away = true;
  EXPECT_ERROR(ids.next_id(), store_unavailable);
  EXPECT_GT(ids.stats().store_failures, 0U);
  EXPECT_LT(store.reads, 100);
  EXPECT_ERROR(Segment(store, orders()), store_unavailable);
}

TEST(Stores, whose_answers_are_lost_lose_those_numbers) {
  TestStore store;
  Segment ids(store, orders(10));
  store.forgets = true;
  EXPECT_EQ(ids.next_id(), 11U);
}

TEST(Stores, that_went_back_are_refused_until_an_operator_sets_the_counter) {
  TestStore store(1000);
  Segment ids(store, orders(10));
  EXPECT_EQ(ids.next_id(), 1001U);
  store.raise(5);  // though 1001 was given out
  const std::string failure = error_of([&] {
    for (;;) ids.next_id();
  });
  EXPECT_EQ(code_in(failure), "store_went_back") << failure;
  store.raise(5000);
  EXPECT_EQ(next_in_time(ids), 5001U);
}

TEST(Openings, fail_at_once_with_the_reason) {
  TestStore store;
  SegmentOptions options = orders();
  options.name = "invoices";
  EXPECT_ERROR(Segment(store, options), namespace_not_initialised);
  MemoryStore empty;
  EXPECT_ERROR(Segment(empty, orders()), namespace_not_initialised);
  EXPECT_ERROR(init_counter(empty, "orders", 0), namespace_not_initialised);
  store.away = true;
  EXPECT_ERROR(Segment(store, orders()), store_unavailable);
}

TEST(Openings, refuse_bad_options) {
  TestStore store;
  const auto refuses = [&](const auto& change) {
    SegmentOptions options = orders();
    change(options);
    EXPECT_ERROR(Segment(store, options), option_invalid);
  };
  refuses([](SegmentOptions& o) { o.name = ""; });
  refuses([](SegmentOptions& o) { o.name = "Orders"; });
  refuses([](SegmentOptions& o) { o.step = 0; });
  refuses([](SegmentOptions& o) { o.min_step = 0; });
  refuses([](SegmentOptions& o) { o.max_step = 99; });
  refuses([](SegmentOptions& o) { o.hold_ms = 0; });
  refuses([](SegmentOptions& o) { o.timeout_ms = 0; });
  refuses([](SegmentOptions& o) { o.timeout_ms = std::int64_t{1} << 31; });
}

// --- threads -------------------------------------------------------------------------------------------

TEST(Threads, get_each_number_once) {
  TestStore store;
  Segment ids(store, orders()), small(store, orders(3));
  const std::size_t each = scaled(300'000);
  const auto issued = together(4, [&](int thread, Ids& mine) {
    while (mine.size() < each) {
      if (thread == 0 && mine.size() % 100 == 0) {
        const auto batch = ids.next_ids(7);
        mine.insert(mine.end(), batch.begin(), batch.end());
      } else if (thread == 1 && mine.size() % 50 == 0) {
        if (const auto id = ids.try_next_id()) mine.push_back(*id);
        else mine.push_back(ids.next_id());
      } else if (thread == 3) {
        if (mine.size() == each / 100) break;
        mine.push_back(small.next_id());
      } else {
        mine.push_back(ids.next_id());
      }
    }
  });
  expect_unique(issued);
}

// --- a folder of this host -------------------------------------------------------------------------------

TEST(HostStores, hold_counters_too) {
  const FreshHome home;
  {
    HostStore store(home.path(), "shop");
    init_namespace(store, "polyflake");
    init_counter(store, "orders", 41);
    init_counter(store, "orders", 7);
    Segment ids(store, orders(10));
    for (std::uint64_t expected = 42; expected < 75; ++expected) ASSERT_EQ(ids.next_id(), expected);
  }
  HostStore again(home.path(), "shop");
  Segment ids(again, orders(10));
  EXPECT_EQ(ids.next_id(), 75U) << "the first one closed";
  EXPECT_ERROR(again.read_counter("../names"), option_invalid);
  EXPECT_ERROR(again.read_counter("names/7"), option_invalid);
}

TEST(HostStores, whose_counter_was_put_back_stop_until_an_operator_sets_it) {
  const FreshHome home;
  HostStore store(home.path(), "shop");
  init_namespace(store, "polyflake");
  init_counter(store, "orders", 0);
  const auto file = std::filesystem::path(home.path()) / "shop" / "counter-orders";
  const auto backup = std::filesystem::path(home.path()) / "backup";
  std::filesystem::copy_file(file, backup);
  {
    Segment(store, orders(10)).next_ids(25);
  }
  std::filesystem::rename(backup, file);  // both existed: the file system cannot have reused the number of one
  EXPECT_ERROR(Segment(store, orders(10)), store_went_back);
  EXPECT_TRUE(store.read_counter("orders").put_back);
  count::Add add;
  add.counter = "orders";
  EXPECT_EQ(store.add(add).outcome, count::Outcome::incarnation);
  raise_counter(store, "orders", 25);
  Segment ids(store, orders(10));
  EXPECT_EQ(ids.next_id(), 26U);
}

}  // namespace
}  // namespace polyflake::test
