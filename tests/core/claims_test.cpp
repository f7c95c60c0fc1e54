// Claims and ranges of ids: what callers get that wait in their own way.
#include <polyflake/polyflake.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <random>

#include "on_manual_clock.hpp"
#include "three_layouts.hpp"
#include "together.hpp"

namespace polyflake::test {
namespace {

constexpr const char* kSixteen =
    "timestamp:41 worker:18 sequence:4 tick=1ms epoch=2020-01-01T00:00:00.000Z";  // ids a tick
constexpr const char* kSequenceAbove = "timestamp:41 sequence:12 worker:10 tick=1ms epoch=2020-01-01T00:00:00.000Z";

Options with(Ordering ordering, const Layout& layout) {
  Options options;
  options.ordering = ordering;
  options.layout = layout;
  options.worker = 1;
  return options;
}

TEST(Claims, of_ranges_end_with_the_tick_and_say_whether_to_wait) {
  OnManualClock on(with(Ordering::strict, kSixteen));
  Claims claims(on.generator);
  EXPECT_EQ(claims.claim_range(0).count, 0U);
  EXPECT_TRUE(claims.claim_range(0).ready);
  const IdRange first = claims.claim_range(15), rest = claims.claim_range(20), later = claims.claim_range(20);
  EXPECT_EQ(first.count, 15U);
  EXPECT_TRUE(first.ready);
  EXPECT_EQ(rest.count, 1U) << "what this tick has left";
  EXPECT_TRUE(rest.ready);
  EXPECT_EQ(later.count, 16U) << "the next tick";
  EXPECT_FALSE(later.ready);
  EXPECT_EQ(claims.wait_ns(later.last(), 0), 0);
  EXPECT_EQ(on.clock->time_ms(), kNow + 1);
}

TEST(Claims, of_ranges_are_those_of_as_many_calls) {
  for (const Layout layout : {kWide, kDefault, kNarrow, kSequenceAbove}) {
    for (const auto ordering : {Ordering::per_thread, Ordering::strict}) {
      OnManualClock batched(with(ordering, layout)), single(with(Ordering::strict, layout));
      for (std::size_t n = 1; n < 500; n += 13) {
        const IdRange range = Claims(batched.generator).claim_range(n);
        ASSERT_GE(range.count, 1U);
        ASSERT_LE(range.count, n);
        Ids ids(range.count);
        range.write(ids.data());
        Claims(batched.generator).wait_ns(ids.back(), 0);  // moves the clock if the last must be waited for
        EXPECT_EQ(range.ready, batched.clock->time_ms() == single.clock->time_ms());
        for (const std::uint64_t id : ids) ASSERT_EQ(id, single.generator.next_id());
        ASSERT_EQ(batched.clock->time_ms(), single.clock->time_ms());
      }
    }
  }
}

TEST(IdRanges, are_written_as_by_a_plain_loop_at_every_length_and_place) {
  constexpr std::uint64_t kUntouched = 0xDEAD'BEEF'DEAD'BEEF;
  constexpr std::size_t kLongest = 67, kPlaces = 8, kMargin = 8;
  std::mt19937_64 random(41);
  alignas(64) std::array<std::uint64_t, kPlaces + kLongest + kMargin> ids;
  for (std::size_t count = 0; count <= kLongest; ++count) {
    for (std::size_t place = 0; place < kPlaces; ++place) {
      for (const unsigned step_bits : {0U, 1U, 10U, 31U, 32U, 41U, 57U}) {
        const IdRange range{random() >> 1, std::uint64_t{1} << step_bits, count, true};
        ids.fill(kUntouched);
        range.write(ids.data() + place);
        for (std::size_t i = 0; i < ids.size(); ++i) {
          const bool inside = i >= place && i < place + count;
          ASSERT_EQ(ids[i], inside ? range.first + (i - place) * range.step : kUntouched)
              << "number " << i << " of " << count << " at place " << place << ", step 2^" << step_bits;
        }
      }
    }
  }
}

}  // namespace
}  // namespace polyflake::test
