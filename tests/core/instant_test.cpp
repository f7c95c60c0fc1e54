// Instants as text: what layouts and the command line have in common.
#include <polyflake/instant.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace polyflake::test {
namespace {

std::string local(std::int64_t unix_ms, std::int64_t utc_offset_seconds) {
  std::string text;
  append_local(text, unix_ms, utc_offset_seconds);
  return text;
}

TEST(Instant, reads_dates_and_times_with_up_to_three_decimals) {
  EXPECT_EQ(parse_utc("1970-01-01"), 0);
  EXPECT_EQ(parse_utc("2024-02-29T23:59:59Z"), 1709251199000);
  EXPECT_EQ(parse_utc("2024-02-29T23:59:59.5Z"), 1709251199500);
  EXPECT_EQ(parse_utc("2024-02-29T23:59:59.25Z"), 1709251199250);
  EXPECT_EQ(parse_utc("2024-02-29T23:59:59.125Z"), 1709251199125);
}

TEST(Instant, reads_nothing_else) {
  for (const char* text :
       {"", "1969-12-31", "2025-02-29", "2024-13-01", "2024-00-01", "2024-01-00", "2024-01-01T24:00:00Z",
        "2024-01-01T00:60:00Z", "2024-01-01T00:00:60Z", "2024-01-01T00:00:00", "2024-01-01T00:00:00.Z",
        "2024-01-01T00:00:00.0000Z", "2024-01-01 00:00:00Z", "2024-01-01T00:00:00+00:00", "2024-01", "+2024-01-01"}) {
    EXPECT_FALSE(parse_utc(text)) << text;
  }
}

TEST(Instant, is_written_with_three_decimals) {
  EXPECT_EQ(to_utc(0), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(to_utc(1709251199125), "2024-02-29T23:59:59.125Z");
  EXPECT_EQ(to_utc(253402300800000), "+10000-01-01T00:00:00.000Z");
  EXPECT_EQ(to_utc(INT64_MAX), "+292278994-08-17T07:12:55.807Z");
}

TEST(Instant, is_written_on_the_clocks_of_a_zone) {
  EXPECT_EQ(local(0, -12'600), "1969-12-31T20:30:00.000-03:30");
  EXPECT_EQ(local(1709251199125, 20'700), "2024-03-01T05:44:59.125+05:45");
  EXPECT_EQ(local(INT64_MAX, 32'400), "+292278994-08-17T16:12:55.807+09:00");
  EXPECT_EQ(local(INT64_MAX, 64'800), "+292278994-08-18T01:12:55.807+18:00");
}

}  // namespace
}  // namespace polyflake::test
