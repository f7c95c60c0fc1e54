// Kinds under threads and a clock that steps: strictly rising in the order of calls, none twice.
#include <polyflake/object_ids.hpp>
#include <polyflake/uuid7.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "kinds/entropy.hpp"
#include "together.hpp"

namespace polyflake::test {
namespace {

constexpr int kThreads = 4;

// The system clock, set back and forth by somebody.
class SteppedClock final : public Clock {
 public:
  std::int64_t now_ms() const override { return SystemClock::read_ms() + offset_ms.load(std::memory_order_relaxed); }
  std::int64_t ns_until(std::int64_t unix_ms) const override {
    return SystemClock().ns_until(unix_ms - offset_ms.load(std::memory_order_relaxed));
  }
  bool advance_to(std::int64_t) override { return false; }

  std::atomic<std::int64_t> offset_ms{0};
};

// Steps an hour back, and forth again, until the work is over.
template <class Source, class Value, class Options>
void issue_under_steps() {
  const auto clock = std::make_shared<SteppedClock>();
  Options options;
  options.clock = clock;
  options.max_wait_ms = 10'000;
  Source ids(options);
  const std::size_t each = scaled(2'000'000);
  std::vector<std::vector<Value>> issued(kThreads);
  std::atomic<bool> done{false};
  std::thread stepper([&] {
    for (bool back = true; !done; back = !back) {
      clock->offset_ms = back ? -3'600'000 : 0;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  });
  together(kThreads, [&](int thread, Ids&) {
    auto& mine = issued[static_cast<std::size_t>(thread)];
    mine.resize(each);
    for (std::size_t i = 0; i < each; ++i) mine[i] = ids.next_id();
  });
  done = true;
  stepper.join();
  std::vector<Value> all;
  for (auto& mine : issued) {
    EXPECT_EQ(std::adjacent_find(mine.begin(), mine.end(), [](const Value& a, const Value& b) { return !(a < b); }),
              mine.end())
        << "not rising";
    const auto middle = static_cast<std::ptrdiff_t>(all.size());
    all.insert(all.end(), mine.begin(), mine.end());
    std::inplace_merge(all.begin(), all.begin() + middle, all.end());
    std::vector<Value>().swap(mine);
  }
  EXPECT_EQ(all.size(), kThreads * each);
  EXPECT_EQ(std::adjacent_find(all.begin(), all.end()), all.end()) << "an id twice";
}

TEST(SteppedClocks, leave_eight_million_uuids_rising) { issue_under_steps<Uuid7, Uuid, Uuid7Options>(); }

TEST(SteppedClocks, leave_eight_million_object_ids_rising) {
  issue_under_steps<ObjectIds, ObjectId, ObjectIdOptions>();
}

TEST(Entropy, is_never_the_same_in_two_threads) {
  const std::size_t each = scaled(500'000);
  auto words = together(kThreads, [&](int, Ids& mine) {
    mine.resize(each);
    for (std::size_t i = 0; i < each; ++i) mine[i] = entropy::bits();
  });
  Ids all;
  for (const Ids& mine : words) all.insert(all.end(), mine.begin(), mine.end());
  std::sort(all.begin(), all.end());
  EXPECT_EQ(std::adjacent_find(all.begin(), all.end()), all.end());
}

}  // namespace
}  // namespace polyflake::test
