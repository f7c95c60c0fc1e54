// Many threads on the system clock: no id twice, order kept, counters exact, under every race we know of.
#include <polyflake/polyflake.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "expect_error.hpp"
#include "fresh_home.hpp"
#include "issue/node_table.hpp"
#include "node_files.hpp"
#include "system.hpp"
#include "together.hpp"
#include "with_worker.hpp"

namespace polyflake::test {
namespace {

constexpr int kThreads = 8;

// Room for many ids a tick, so that threads meet in the swap rather than in the wait.
constexpr const char* kWide = "timestamp:41 sequence:22 tick=1ms epoch=2020-01-01T00:00:00.000Z";

Options patient(const Worker& worker, const Layout& layout = "polyflake") {
  Options options = with_worker(worker, layout);
  options.max_wait_ms = 10'000;  // threads wait for one another's ticks here
  return options;
}

TEST(Threads, issue_four_million_ids_without_one_twice) {
  Generator generator(patient(101));
  const std::size_t each = scaled(500'000);
  const auto ids = together(kThreads, [&](int, Ids& mine) {
    mine.reserve(each);
    while (mine.size() < each) mine.push_back(generator.next_id());
  });
  EXPECT_EQ(expect_unique(ids), kThreads * each);
  EXPECT_EQ(generator.stats().issued, kThreads * each);
}

TEST(Threads, contend_for_a_wide_tick_without_one_id_twice) {
  Generator generator(patient(0, kWide));
  const std::size_t each = scaled(300'000);
  const auto ids = together(kThreads, [&](int, Ids& mine) {
    mine.reserve(each);
    while (mine.size() < each) mine.push_back(generator.next_id());
  });
  EXPECT_EQ(expect_unique(ids), kThreads * each);
}

TEST(Threads, mix_single_ids_tries_and_batches_on_two_generators_of_one_node) {
  Generator one(patient(102)), other(patient(102));
  const std::size_t each = scaled(200'000);
  const auto ids = together(kThreads, [&](int thread, Ids& mine) {
    Generator& generator = thread % 2 == 0 ? one : other;
    for (std::size_t turn = 0; mine.size() < each; ++turn) {
      if (turn % 3 == 0) {
        mine.push_back(generator.next_id());
      } else if (turn % 3 == 1) {
        if (const auto id = generator.try_next_id()) mine.push_back(*id);
      } else {
        const Ids batch = generator.next_ids(turn % 50);
        mine.insert(mine.end(), batch.begin(), batch.end());
      }
    }
  });
  EXPECT_EQ(one.stats().issued, expect_unique(ids));
}

TEST(Order, id_of_a_call_that_returned_is_below_that_of_a_call_that_begins) {
  Generator generator(patient(1, "timestamp:40 worker:1 sequence:22 tick=1ms epoch=2020-01-01T00:00:00.000Z"));
  struct Call {
    std::uint64_t begin, end, id;
  };
  const std::size_t each = scaled(300'000);
  std::atomic<std::uint64_t> moment{0};
  std::vector<std::vector<Call>> calls(kThreads);
  together(kThreads, [&](int thread, Ids&) {
    auto& mine = calls[static_cast<std::size_t>(thread)];
    mine.reserve(each);
    for (std::size_t i = 0; i < each; ++i) {
      const std::uint64_t begin = moment.fetch_add(1);
      const std::uint64_t id = generator.next_id();
      mine.push_back({begin, moment.fetch_add(1), id});
    }
  });
  // By moments: what ended before, against what begins.
  std::vector<std::pair<bool, std::uint64_t>> history(moment.load());
  for (const auto& thread : calls) {
    for (const Call& call : thread) {
      history[call.begin] = {true, call.id};
      history[call.end] = {false, call.id};
    }
  }
  std::uint64_t highest_ended = 0;
  for (const auto& [begins, id] : history) {
    if (begins) ASSERT_GT(id, highest_ended);
    else highest_ended = std::max(highest_ended, id);
  }
}

TEST(Order, holds_where_threads_learn_of_ids_by_relaxed_loads) {
  Generator generator(patient(0, "timestamp:40 worker:1 sequence:22 tick=1ms epoch=2020-01-01T00:00:00.000Z"));
  std::atomic<std::uint64_t> published{0};
  std::atomic<std::size_t> violations{0}, learned{0};
  const std::size_t each = scaled(500'000);
  together(kThreads, [&](int, Ids&) {
    std::uint64_t former = 0;
    for (std::size_t i = 0; i < each || learned == 0; ++i) {
      if (i >= each) std::this_thread::yield();  // a machine may run them one after the other
      const std::uint64_t known = published.load(std::memory_order_relaxed);
      const std::uint64_t id = generator.next_id();
      if (id <= known) ++violations;
      if (known > former) ++learned;
      former = id;
      published.store(id, std::memory_order_relaxed);
    }
  });
  EXPECT_EQ(violations, 0U);
  EXPECT_GT(learned, 0U) << "threads learned of one another";
}

TEST(NodeTables, threads_that_add_the_same_node_ids_get_the_same_nodes) {
  constexpr std::uint64_t kNodes = 20'000;
  const Layout layout = "timestamp:31 worker:20 sequence:12 tick=1s epoch=2020-01-01T00:00:00.000Z";
  std::vector<std::vector<Node*>> found(4);
  together(4, [&](int thread, Ids&) {
    auto& mine = found[static_cast<std::size_t>(thread)];
    for (std::uint64_t id = 0; id < scaled(kNodes); ++id) mine.push_back(&NodeTable::current().find_or_add(layout, id));
  });
  for (const auto& nodes : found) EXPECT_EQ(nodes, found[0]);
}

TEST(GeneratorsInARow, of_one_static_node_issue_increasing_ids) {
  const Options options = patient(103);
  std::uint64_t former = 0;
  for (std::size_t i = scaled(200'000); i > 0; --i) {
    const std::uint64_t id = Generator(options).next_id();
    ASSERT_GT(id, former);
    former = id;
  }
}

TEST(GeneratorsInARow, of_this_host_hold_one_node_id) {
  const FreshHome home;
  const Options options = patient("host", "tsid");
  std::uint64_t former = 0;
  std::uint64_t node = Generator(options).worker();
  for (std::size_t i = scaled(200'000); i > 0; --i) {
    Generator generator(options);
    const std::uint64_t id = generator.next_id();
    ASSERT_GT(id, former);
    ASSERT_EQ(generator.worker(), node);
    former = id;
  }
}

// Issues until the generator is closed; whatever else is raised fails the test.
void issue_until_closed(Generator& generator, int thread, Ids& mine) {
  try {
    for (;;) {
      if (thread % 2 == 0) {
        mine.push_back(generator.next_id());
      } else {
        const Ids batch = generator.next_ids(3);
        mine.insert(mine.end(), batch.begin(), batch.end());
      }
    }
  } catch (const Error& error) {
    if (error.code() != ErrorCode::generator_closed) ADD_FAILURE() << error.what();
  }
}

TEST(Closing, ends_a_long_wait_soon) {
  Options options = patient(105);
  options.layout = Layout("timestamp:31 worker:20 sequence:1 tick=86400s epoch=2020-01-01T00:00:00.000Z");
  options.max_wait_ms = 2 * 86'400'000;
  Generator generator(options);
  const auto began = std::chrono::steady_clock::now();
  together(2, [&](int thread, Ids& mine) {
    if (thread == 0) return issue_until_closed(generator, thread, mine);
    while (generator.stats().waits == 0) std::this_thread::yield();
    generator.close();
  });
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(60)) << "it would be a day";
}

TEST(Closing, races_issuing_threads_and_ends_them_all) {
  std::size_t issued = 0;
  for (std::size_t round = scaled(500); round > 0; --round) {
    Generator generator(patient(104));
    const auto ids = together(kThreads + 1, [&](int thread, Ids& mine) {
      if (thread < kThreads) return issue_until_closed(generator, thread, mine);
      for (std::size_t i = 0; i < round % 7; ++i) std::this_thread::yield();
      generator.close();
      generator.close();
    });
    ASSERT_TRUE(generator.closed());
    issued += expect_unique(ids);
  }
  EXPECT_GT(issued, 0U);
}

TEST(Closing, races_issuing_threads_on_a_manual_clock_too) {
  for (std::size_t round = scaled(500); round > 0; --round) {
    Options options = patient(5);
    options.clock = std::make_shared<ManualClock>(1'767'225'600'000);
    Generator generator(options);
    const auto ids = together(4, [&](int thread, Ids& mine) {
      if (thread < 3) return issue_until_closed(generator, thread, mine);
      generator.close();
    });
    expect_unique(ids);
  }
}

TEST(Statistics, never_decrease_while_threads_issue_and_are_exact_when_they_stop) {
  Generator generator(patient(105));
  const std::size_t each = scaled(100'000);
  std::atomic<int> working{kThreads};
  const auto ids = together(kThreads + 1, [&](int thread, Ids& mine) {
    if (thread < kThreads) {
      while (mine.size() < each) mine.push_back(generator.next_id());
      --working;
      return;
    }
    Stats former{};
    while (working > 0) {
      const Stats now = generator.stats();
      EXPECT_GE(now.issued, former.issued);
      EXPECT_GE(now.waits, former.waits);
      EXPECT_GE(now.sequence_exhaustions, former.sequence_exhaustions);
      former = now;
    }
  });
  EXPECT_EQ(generator.stats().issued, expect_unique(ids));
}

TEST(LostNodeIds, are_replaced_while_threads_issue) {
  if (!kHeldFilesCanBeRemoved) GTEST_SKIP() << "here nobody removes a file that is held";
  const FreshHome home;
  const Layout layout = "polyflake";
  Generator generator(patient("host"));
  std::atomic<bool> stop{false};
  std::atomic<int> losses{0};
  const auto ids = together(kThreads + 1, [&](int thread, Ids& mine) {
    std::uint64_t former = 0;
    while (thread < kThreads && !stop) {
      try {
        const std::uint64_t id = generator.next_id();
        EXPECT_GT(id, former);
        former = id;
        if (id % 16 == 0) mine.push_back(id);  // the same sixteenth in each thread, to save memory
      } catch (const Error& error) {
        if (error.code() != ErrorCode::registry_unusable) ADD_FAILURE() << error.what();
        ++losses;
      }
    }
    if (thread < kThreads) return;
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (losses < 2 && std::chrono::steady_clock::now() < deadline) {
      std::filesystem::remove(node_path(home.path(), layout, generator.worker()));
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    stop = true;
  });
  std::printf("%zu ids looked at, node id lost %d times\n", expect_unique(ids), losses.load());
  EXPECT_GE(losses, 2);
}

}  // namespace
}  // namespace polyflake::test
