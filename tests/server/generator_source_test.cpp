// Tests of the range that a source keeps between callers.
#include "ids/generator_source.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>

namespace polyflake::server {
namespace {

// Moves by hand alone: a manual clock goes on when a claim waits for it.
class SetClock final : public Clock {
 public:
  std::int64_t now_ms() const override { return ms; }
  std::int64_t ns_until(std::int64_t unix_ms) const override {
    return std::max<std::int64_t>(unix_ms - ms, 0) * 1'000'000;
  }
  bool advance_to(std::int64_t) override { return false; }

  std::int64_t ms = 1'000;
};

class GeneratorSourceTest : public testing::Test {
 protected:
  // Eight ids a tick.
  const Layout layout_ = "timestamp:41 worker:4 sequence:3 tick=1ms epoch=1970-01-01T00:00:00.000Z";
  std::shared_ptr<SetClock> clock_ = std::make_shared<SetClock>();
  GeneratorSource source_{options(), false};

  Options options() const {
    Options found;
    found.layout = layout_;
    found.worker = 0;
    found.clock = clock_;
    return found;
  }

  // Takes all ids of this tick, and leaves a range of the next one behind.
  void hold_next_tick() {
    EXPECT_EQ(source_.take(8).ids.count, 8U);
    EXPECT_EQ(source_.take(8).ids.count, 0U);
  }
  std::uint64_t take_one() {
    const Source::Answer answer = source_.take(1);
    EXPECT_EQ(answer.ids.count, 1U);
    return answer.ids.first;
  }
  void pass(std::int64_t ms) { clock_->ms += ms; }
};

TEST_F(GeneratorSourceTest, rest_of_a_range_is_for_the_next_caller) {
  hold_next_tick();
  pass(5);
  EXPECT_EQ(layout_.unpack(take_one()).tick, 1'001U);
  EXPECT_EQ(layout_.unpack(take_one()).sequence, 1U);
}

TEST_F(GeneratorSourceTest, rest_of_a_range_is_left_out_for_who_has_a_higher_id_of_another_server) {
  hold_next_tick();
  pass(1);
  take_one();
  const std::uint64_t seen = take_one() | (std::uint64_t{9} << 3);  // the same tick, of node 9
  pass(1);
  source_.drop_up_to(seen);
  EXPECT_GT(take_one(), seen);
}

TEST_F(GeneratorSourceTest, range_above_the_id_of_another_server_stays) {
  hold_next_tick();
  pass(1);
  const std::uint64_t first = take_one();
  source_.drop_up_to(first - 1);
  EXPECT_EQ(take_one(), first + 1);
}

}  // namespace
}  // namespace polyflake::server
