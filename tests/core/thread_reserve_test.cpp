// Ordering::per_thread: what holds between ids of one thread and of several, and that nobody uses what is left of a
// reserve but the thread, the grant and the tick it was taken for. What a signal handler may do at any instruction is in
// signal_stepping_test.cpp, forks are in fork_test.cpp.
#include <polyflake/polyflake.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#if !defined(_WIN32)
#include <signal.h>
#include <sys/time.h>

#include "copies.hpp"
#endif
#include "expect_error.hpp"
#include "fresh_home.hpp"
#include "node_files.hpp"
#include "on_manual_clock.hpp"
#include "os/os.hpp"
#include "system.hpp"
#include "three_layouts.hpp"
#include "together.hpp"

namespace polyflake::test {
namespace {

// The first reserves of a tick are 256 positions in kWide, 64 in kDefault and 4 in kNarrow: a 64th of what it has left, at
// most 256.

Options per_thread(const Layout& layout, std::uint64_t node) {
  Options options;
  options.ordering = Ordering::per_thread;
  options.layout = layout;
  options.worker = node;
  options.max_wait_ms = 10'000;  // threads wait for one another's ticks here
  return options;
}

Options strict(const Layout& layout, std::uint64_t node) {
  Options options = per_thread(layout, node);
  options.ordering = Ordering::strict;
  return options;
}

// A thread that works while the test waits for it, and lives on: what it has in reserve stays its own.
class OtherThread {
 public:
  OtherThread() : thread_([this] { work(); }) {}
  ~OtherThread() {
    hand_over([this] { over_ = true; });
    thread_.join();
  }
  std::uint64_t next_id(Generator& generator) {
    std::uint64_t id = 0;
    hand_over([&] { id = generator.next_id(); });
    return id;
  }

 private:
  void hand_over(std::function<void()> job) {
    std::unique_lock lock(mutex_);
    job_ = std::move(job);
    changed_.notify_all();
    changed_.wait(lock, [this] { return job_ == nullptr; });
  }
  void work() {
    std::unique_lock lock(mutex_);
    while (!over_) {
      changed_.wait(lock, [this] { return job_ != nullptr; });
      job_();
      job_ = nullptr;
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::function<void()> job_;
  bool over_ = false;
  std::thread thread_;
};

// --- one thread ----------------------------------------------------------------------------------

TEST(OneThread, gets_the_ids_of_strict_order_while_the_clock_goes_on) {
  for (const Layout layout : {kWide, kDefault, kNarrow}) {
    OnManualClock own(per_thread(layout, 1)), shared(strict(layout, 1));
    std::mt19937_64 random(23);
    for (int i = 0; i < 20'000; ++i) {
      if (random() % 4 == 0) {
        const std::size_t n = random() % 3 == 0 ? random() % 700 : random() % 9;
        ASSERT_EQ(own.generator.next_ids(n), shared.generator.next_ids(n));
      } else if (random() % 3 == 0) {
        ASSERT_EQ(own.generator.try_next_id(), shared.generator.try_next_id());
      } else {
        ASSERT_EQ(own.generator.next_id(), shared.generator.next_id());
      }
      ASSERT_EQ(own.clock->time_ms(), shared.clock->time_ms());
      const auto step = random() % 8 == 0 ? static_cast<std::int64_t>(random() % 3) : 0;
      own.clock->advance(step);
      shared.clock->advance(step);
    }
    EXPECT_EQ(own.generator.stats().issued, shared.generator.stats().issued);
    EXPECT_EQ(own.generator.stats().waits, shared.generator.stats().waits);
  }
}

TEST(OneThread, gets_rising_ids_and_an_exact_count_whatever_the_clock_does) {
  for (const Layout layout : {kWide, kDefault, kNarrow}) {
    OnManualClock on(per_thread(layout, 1));
    std::mt19937_64 random(29);
    std::uint64_t former = 0, issued = 0;
    for (int i = 0; i < 60'000; ++i) {
      if (random() % 8 == 0) on.clock->advance(static_cast<std::int64_t>(random() % 100) - 49);
      Ids ids(random() % 5 == 0 ? random() % 90 : 0);
      if (ids.empty()) {
        ids.push_back(on.generator.next_id());
      } else {
        on.generator.fill(ids.data(), ids.size());
      }
      for (const std::uint64_t id : ids) {
        ASSERT_GT(id, former);
        former = id;
      }
      issued += ids.size();
      ASSERT_EQ(on.generator.stats().issued, issued);
    }
  }
}

TEST(OneThread, has_a_reserve_for_each_of_four_generators_in_turn) {
  std::vector<std::unique_ptr<OnManualClock>> own, shared;
  for (int i = 0; i < 4; ++i) own.push_back(std::make_unique<OnManualClock>(per_thread(kDefault, 1)));
  for (int i = 0; i < 4; ++i) shared.push_back(std::make_unique<OnManualClock>(strict(kDefault, 1)));
  for (int turn = 0; turn < 3000; ++turn) {
    for (std::size_t i = turn % 3 == 0 ? 0 : 3; i < 4; ++i) {
      ASSERT_EQ(own[i]->generator.next_id(), shared[i]->generator.next_id());
    }
  }
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(own[i]->generator.stats().issued, shared[i]->generator.stats().issued);
    EXPECT_EQ(own[i]->clock->time_ms(), kNow) << "nothing was dropped";
  }
}

TEST(OneThread, mixes_up_no_ids_of_more_generators_than_it_has_reserves_for) {
  constexpr std::size_t kGenerators = 11;
  std::vector<std::unique_ptr<OnManualClock>> own;
  for (std::uint64_t node = 0; node < kGenerators; ++node) {
    own.push_back(std::make_unique<OnManualClock>(per_thread(kDefault, node)));
  }
  std::array<Ids, kGenerators> ids;
  std::mt19937_64 random(31);
  for (int i = 0; i < 50'000; ++i) {
    const std::size_t node = i % 3 == 0 ? random() % kGenerators : static_cast<std::size_t>(i) % kGenerators;
    ids[node].push_back(own[node]->generator.next_id());
    ASSERT_EQ(own[node]->generator.layout().unpack(ids[node].back()).node, node);
  }
  EXPECT_EQ(expect_unique({ids.begin(), ids.end()}), 50'000U);
}

// Five generators have four reserves, so two share one. Each call of them must not throw away what is in it.
TEST(OneThread, uses_up_no_tick_with_more_generators_than_it_has_reserves_for) {
  std::vector<std::unique_ptr<OnManualClock>> all;
  for (int i = 0; i < 5; ++i) all.push_back(std::make_unique<OnManualClock>(per_thread(kDefault, 1)));
  for (int i = 0; i < 1000; ++i) {
    for (auto& on : all) on->generator.next_id();
  }
  for (auto& on : all) {
    EXPECT_EQ(on->generator.stats().waits, 0U);
    EXPECT_LE(on->generator.stats().issued, 1000U + 64U);
  }
}

// --- several threads -----------------------------------------------------------------------------

TEST(ThreadsInTurn, take_reserves_that_do_not_meet) {
  OnManualClock on(per_thread(kDefault, 1));
  OtherThread other;
  const std::uint64_t first = on.generator.next_id();
  const std::uint64_t start = other.next_id(on.generator);
  EXPECT_EQ(start, first + 1);  // reserves begin with the second id
  for (std::uint64_t i = 0; i < 62; ++i) {
    EXPECT_EQ(on.generator.next_id(), first + 2 + i);
    EXPECT_EQ(other.next_id(on.generator), first + 2 + 63 + i);  // a 64th of what the tick had left
  }
  EXPECT_EQ(other.next_id(on.generator), first + 2 + 63 + 62);
  EXPECT_EQ(on.generator.next_id(), first + 2 + 62);
  EXPECT_EQ(on.generator.next_id(), first + 2 + 63 + 62 + 62);
}

TEST(ThreadsInTurn, issue_in_order_of_the_ticks) {
  for (const Layout layout : {kWide, kDefault, kNarrow}) {
    OnManualClock on(per_thread(layout, 1));
    std::array<OtherThread, 3> others;
    std::array<Ids, 4> ids;
    std::mt19937_64 random(37);
    for (int i = 0; i < 4000; ++i) {
      const std::size_t thread = random() % 4;
      ids[thread].push_back(thread == 3 ? on.generator.next_id() : others[thread].next_id(on.generator));
      ASSERT_EQ(layout.unpack(ids[thread].back()).tick, on.tick());
      if (random() % 16 == 0) on.clock->advance(static_cast<std::int64_t>(random() % 3));
    }
    expect_unique({ids.begin(), ids.end()});
  }
}

TEST(ThreadsInTurn, issue_in_order_of_the_ticks_when_the_clock_steps_back) {
  OnManualClock on(per_thread(kDefault, 1));
  OtherThread other;
  other.next_id(on.generator);
  other.next_id(on.generator);  // and has more of this tick
  on.clock->advance(1);
  const Parts before = on.generator.layout().unpack(on.generator.next_id());
  on.clock->advance(-1);
  EXPECT_GE(on.generator.layout().unpack(other.next_id(on.generator)).tick, before.tick);
}

TEST(ThreadsInTurn, issue_in_order_of_the_ticks_when_ids_run_ahead_of_the_clock) {
  Options options = per_thread(kNarrow, 1);
  options.max_lead_ms = 5;
  OnManualClock on(options);
  OtherThread other;
  other.next_id(on.generator);
  other.next_id(on.generator);  // and has more of this tick
  const Parts before = on.generator.layout().unpack(on.generator.next_ids(256).back());
  EXPECT_EQ(before.tick, on.tick() + 1);
  EXPECT_GE(on.generator.layout().unpack(other.next_id(on.generator)).tick, before.tick);
}

TEST(ThreadsInTurn, get_ids_above_all_earlier_ones_from_a_strict_generator_of_the_node) {
  Generator own(per_thread(kWide, 1)), shared(strict(kWide, 1));
  OtherThread other;
  std::uint64_t highest = 0;
  for (int i = 0; i < 1000; ++i) {
    highest = std::max({highest, other.next_id(own), own.next_id()});
    const std::uint64_t id = shared.next_id();
    ASSERT_GT(id, highest);
    highest = id;
  }
}

TEST(Threads, issue_four_million_ids_without_one_twice_each_in_the_time_of_its_call) {
  Generator generator(per_thread(kWide, 0));
  const Layout layout = kWide;
  const std::size_t each = scaled(1'000'000);
  std::atomic<std::size_t> out_of_time{0};
  const auto ids = together(4, [&](int thread, Ids& mine) {
    mine.reserve(each);
    std::int64_t begin = SystemClock::read_ms();
    while (mine.size() < each) {
      const std::size_t former = mine.size();
      if (thread % 2 == 0 || former % 1000 != 0) {
        mine.push_back(generator.next_id());
      } else {
        mine.resize(std::min(each, former + 777));
        generator.fill(mine.data() + former, mine.size() - former);
      }
      const std::int64_t end = SystemClock::read_ms();
      for (std::size_t i = former; i < mine.size(); ++i) {
        const std::int64_t time_ms = layout.time_of(layout.unpack(mine[i]).tick);
        if (time_ms < begin - 1 || time_ms > end) ++out_of_time;  // the cached tick may be 1 ms old
      }
      begin = end;
    }
  });
  EXPECT_EQ(out_of_time, 0U);
  EXPECT_EQ(expect_unique(ids), 4 * each);
}

TEST(Threads, on_strict_and_other_generators_of_one_node_get_no_id_twice) {
  Generator own(per_thread(kDefault, 911)), shared(strict(kDefault, 911));
  const std::size_t each = scaled(150'000);
  auto ids = together(5, [&](int thread, Ids& mine) {
    for (std::size_t turn = 0; mine.size() < each; ++turn) {
      Generator& generator = thread == 4 ? (turn / 5 % 2 == 0 ? own : shared) : thread % 2 == 0 ? own : shared;
      if (turn % 7 == 6) {
        const Ids batch = generator.next_ids(turn % 150);
        mine.insert(mine.end(), batch.begin(), batch.end());
      } else if (turn % 2 == 0) {
        mine.push_back(generator.next_id());
      } else if (const auto id = generator.try_next_id()) {
        mine.push_back(*id);
      }
    }
  });
  std::sort(ids[4].begin(), ids[4].end());  // of both, whose ids rise each by themselves
  EXPECT_GE(expect_unique(ids), 5 * each);
}

TEST(Threads, issue_in_order_of_the_ticks) {
  Generator generator(per_thread(kWide, 0));
  const Layout layout = kWide;
  std::atomic<std::uint64_t> latest_tick{0};  // of the calls that have ended
  std::atomic<std::size_t> violations{0}, learned{0};
  together(4, [&](int, Ids&) {
    std::uint64_t former = 0;
    const std::size_t each = scaled(500'000);
    for (std::size_t i = 0; i < each || learned == 0; ++i) {
      if (i >= each) std::this_thread::yield();  // a machine may run them one after the other
      std::uint64_t known = latest_tick.load();
      const std::uint64_t tick = layout.unpack(generator.next_id()).tick;
      if (tick < known) ++violations;
      if (known > former) ++learned;
      former = tick;
      while (known < tick && !latest_tick.compare_exchange_weak(known, tick)) {
      }
    }
  });
  EXPECT_EQ(violations, 0U);
  EXPECT_GT(learned, 0U) << "threads learned of one another";
}

// --- signal handlers -----------------------------------------------------------------------------

// The begin and the end of every call of one thread and of the handler that interrupts it, in their order.
struct History {
  struct Event {
    bool begins;
    std::uint64_t id;
  };
  std::vector<Event> events;
  std::atomic<std::size_t> used{0};

  explicit History(std::size_t calls) : events(2 * calls) {}
  template <class Issue>
  void record(const Issue& issue) {
    const std::size_t begin = used++;
    const std::uint64_t id = issue();
    const std::size_t end = used++;
    events[begin] = {true, id};
    events[end] = {false, id};
  }
};

#if !defined(_WIN32)

struct Handler {
  static inline Generator* generator;
  static inline History* history;
  static inline std::atomic<std::size_t> calls;

  static void on_signal(int) {
    calls.fetch_add(1);
    history->record([] { return generator->next_id(); });
  }
};

TEST(SignalHandlers, get_no_id_of_the_thread_they_interrupt_and_its_ids_rise) {
  OnManualClock on(per_thread(kWide, 1));
  const std::size_t most = scaled(2'000'000), interruptions = scaled(10'000);
  History history(most + 2 * interruptions);
  Handler::generator = &on.generator;
  Handler::history = &history;
  Handler::calls = 0;
  struct sigaction action = {}, former;
  action.sa_handler = Handler::on_signal;
  action.sa_flags = SA_RESTART;
  ASSERT_EQ(::sigaction(SIGALRM, &action, &former), 0);
  const itimerval every_20_us = {{0, 20}, {0, 20}}, never = {};
  ASSERT_EQ(::setitimer(ITIMER_REAL, &every_20_us, nullptr), 0);
  std::size_t issued = 0;
  while (issued < most && Handler::calls < interruptions) {
    if (++issued % 500 == 0) on.clock->advance(1);
    history.record([&] { return issued % 3 == 0 ? on.generator.try_next_id().value() : on.generator.next_id(); });
  }
  ASSERT_EQ(::setitimer(ITIMER_REAL, &never, nullptr), 0);
  ASSERT_EQ(::sigaction(SIGALRM, &former, nullptr), 0);

  std::printf("%zu ids of a handler among %zu\n", Handler::calls.load(), issued);
  EXPECT_GT(Handler::calls, 0U);
  Ids all;
  std::uint64_t highest_ended = 0;
  for (std::size_t i = 0; i < history.used; ++i) {
    const auto [begins, id] = history.events[i];
    if (begins) {
      ASSERT_GT(id, highest_ended);
      all.push_back(id);
    } else {
      highest_ended = std::max(highest_ended, id);
    }
  }
  std::sort(all.begin(), all.end());
  EXPECT_EQ(std::adjacent_find(all.begin(), all.end()), all.end()) << "an id twice";
  EXPECT_EQ(all.size(), issued + Handler::calls);
}

#endif

// While it is read, once, something else is done: as by a signal handler, at a place that is the same each time.
class InterruptedClock final : public Clock {
 public:
  std::int64_t now_ms() const override {
    if (interruption != nullptr && --readings_before == 0) std::exchange(interruption, nullptr)();
    return now;
  }
  std::int64_t ns_until(std::int64_t unix_ms) const override {
    return std::max<std::int64_t>(unix_ms - now, 0) * 1'000'000;
  }
  bool advance_to(std::int64_t unix_ms) override {
    now = std::max(now, unix_ms);
    return true;
  }

  mutable std::function<void()> interruption;
  mutable int readings_before = 0;
  std::int64_t now = kNow;
};

// The call, while a handler gets an id at each of its readings of the clock in turn.
template <class Call>
void expect_order_around_handlers(const Call& call) {
  const auto clock = std::make_shared<InterruptedClock>();
  Options options = per_thread(kDefault, 1);
  options.clock = clock;
  options.sequence_spread = 1;
  Generator generator(options);
  generator.next_id();  // from the second one on there are reserves, of 64 where a tick begins
  int interruptions = 0;
  for (const int left : {0, 1, 39, 63}) {
    for (int reading = 1; reading <= 3; ++reading) {
      ++clock->now;
      for (int i = 0; i < 63 - left; ++i) generator.next_id();
      const std::uint64_t before = generator.next_id();
      std::optional<std::uint64_t> of_handler;
      clock->readings_before = reading;
      clock->interruption = [&] { of_handler = generator.next_id(); };
      const Ids ids = call(generator);
      clock->interruption = nullptr;
      const std::uint64_t after = generator.next_id();
      EXPECT_LT(before, ids.front());
      EXPECT_LT(ids.back(), after) << "reading " << reading << ", with " << left << " left in reserve";
      if (!of_handler) continue;
      ++interruptions;
      EXPECT_LT(before, *of_handler);
      EXPECT_LT(*of_handler, after) << "reading " << reading << ", with " << left << " left in reserve";
      EXPECT_EQ(std::count(ids.begin(), ids.end(), *of_handler), 0);
    }
  }
  EXPECT_GE(interruptions, 4) << "there is a reading in each call";
}

TEST(SignalHandlers, end_the_reserve_of_a_call_that_reads_the_clock) {
  expect_order_around_handlers([](Generator& generator) { return Ids{generator.next_id()}; });
}

TEST(SignalHandlers, end_the_reserve_of_a_batch_that_reads_the_clock) {
  expect_order_around_handlers([](Generator& generator) { return generator.next_ids(40); });
}

// The clock comes back from a step while a call takes an id ahead of it: the handler finds a tick to have a reserve of.
TEST(SignalHandlers, end_the_reserve_of_a_call_that_goes_on_ahead_of_the_clock) {
  const auto clock = std::make_shared<InterruptedClock>();
  Options options = per_thread(kDefault, 1);
  options.clock = clock;
  options.sequence_spread = 1;
  options.max_lead_ms = 5;
  Generator generator(options);
  generator.next_id();
  int interruptions = 0;
  for (int reading = 1; reading <= 4; ++reading) {
    clock->now += 2;
    for (int i = 0; i < 3; ++i) generator.next_id();
    --clock->now;
    std::uint64_t of_handler = 0;
    clock->readings_before = reading;
    clock->interruption = [&] {
      ++clock->now;
      generator.next_id();
      of_handler = generator.next_id();
    };
    const std::uint64_t id = generator.next_id();
    clock->interruption = nullptr;
    const std::uint64_t after = generator.next_id();
    interruptions += of_handler != 0;
    EXPECT_GT(after, id) << "reading " << reading;
    EXPECT_GT(after, of_handler) << "reading " << reading;
  }
  EXPECT_GE(interruptions, 3) << "there is a reading in each call";
}

// --- the end of a reserve ------------------------------------------------------------------------

TEST(Reserves, are_not_used_after_their_generator_was_closed) {
  for (int i = 0; i < 2000; ++i) {
    // The node of closed generators has this layout too.
    Generator generator(per_thread(kDefault, 912));
    generator.next_id();
    generator.next_id();
    generator.close();
    EXPECT_ERROR(generator.next_id(), generator_closed);
    EXPECT_ERROR(generator.try_next_id(), generator_closed);
    EXPECT_ERROR(generator.next_ids(2), generator_closed);
    EXPECT_ERROR(Claims(generator).claim_range(2), generator_closed);
    EXPECT_EQ(Claims(generator).claim_now(), -1);
  }
}

TEST(Reserves, are_not_used_after_a_generator_on_a_manual_clock_was_closed) {
  OnManualClock on(per_thread(kDefault, 1));
  on.generator.next_id();
  on.generator.next_id();
  on.generator.close();
  EXPECT_EQ(on.generator.stats().issued, 2U);  // asking a closed one may be turning to another generator
  EXPECT_ERROR(on.generator.next_id(), generator_closed);
  EXPECT_ERROR(on.generator.next_ids(2), generator_closed);
}

TEST(Reserves, are_not_used_after_their_node_id_was_lost) {
  const FreshHome home;
  Options options = per_thread(kDefault, 0);
  options.worker = "host:3";
  OnManualClock on(options);
  on.generator.next_id();
  on.generator.next_id();
  std::error_code refused;
  const std::string path = node_path(platform::inside(home.path(), "manual-clock"), kDefault, 3);
  ASSERT_EQ(std::filesystem::remove(path, refused), kHeldFilesCanBeRemoved);
  if (!kHeldFilesCanBeRemoved) return;
  on.clock->advance(10'000);
  std::thread([&] { EXPECT_ERROR(on.generator.next_id(), registry_unusable); }).join();
  on.clock->advance(-10'000);
  EXPECT_ERROR(on.generator.next_id(), registry_unusable);
  EXPECT_ERROR(on.generator.next_ids(2), registry_unusable);
}

TEST(Reserves, are_not_used_by_later_generators) {
  const auto clock = std::make_shared<ManualClock>(kNow);
  const Options options = OnManualClock::with(per_thread(kDefault, 1), clock);
  const std::uint64_t first = Generator(options).next_id();
  for (int i = 0; i < 1000; ++i) {
    Generator generator(options);
    for (std::uint64_t of_it = 0; of_it <= static_cast<std::uint64_t>(i) % 70; ++of_it) {
      ASSERT_EQ(generator.next_id(), first + of_it) << "generator " << i;
    }
  }
}

// By its serial a reserve is told from that of a grant that had the same memory, here or in the process that this is a
// copy of.
TEST(Reserves, belong_to_grants_whose_serials_differ) {
  std::optional<Grant> grant;
  std::uint64_t former = 0;
  for (int i = 0; i < 100; ++i) {
    grant.emplace(0, 1, 12U);
    ASSERT_GT(grant->serial, former);
    former = grant->serial;
  }
#if !defined(_WIN32)
  const std::string of_copy = in_copy(raw_clone, [&] { return std::to_string(Grant(0, 1, 12).serial); });
  EXPECT_GT(std::stoull(of_copy), former);
#endif
}

TEST(Reserves, go_on_through_another_generator_of_the_node_in_the_same_thread) {
  const Options options = per_thread(kWide, 1);
  std::uint64_t former = 0;
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t id = Generator(options).next_id();
    ASSERT_GT(id, former);
    former = id;
  }
}

}  // namespace
}  // namespace polyflake::test
