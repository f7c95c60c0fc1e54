#include <gtest/gtest.h>
#include <polyflake/polyflake.hpp>

#include <cstdint>
#include <memory>

namespace polyflake {
namespace {

constexpr std::int64_t kNowMs = 1'767'225'600'000;
constexpr const char* kOwnLayout = "timestamp:41 worker:10 sequence:12 tick=1ms epoch=2024-01-01T00:00:00.000Z";

Options own_options() {
  Options options;
  options.worker = 7;
  options.layout = kOwnLayout;
  options.clock = std::make_shared<ManualClock>(kNowMs);
  return options;
}

// One test: a process has one default generator for life.
TEST(Shortcuts, ids_are_decoded_by_the_layout_of_the_default_generator_and_none_is_opened_for_that) {
  static Generator generator(own_options());
  const std::uint64_t id = Layout(kOwnLayout).first_id(kNowMs);

  EXPECT_EQ(default_generator(), nullptr);
  EXPECT_EQ(decode(id).time_ms, Layout("polyflake").unpack(id).time_ms);
  EXPECT_EQ(default_generator(), nullptr);

  set_default(generator);
  EXPECT_EQ(default_generator(), &generator);
  EXPECT_EQ(decode(id).time_ms, kNowMs);
  EXPECT_EQ(default_generator()->stats().issued, 0U);
  next_id();
  EXPECT_EQ(default_generator()->stats().issued, 1U);

  generator.close();
  EXPECT_EQ(default_generator(), &generator);
  EXPECT_EQ(decode(id).time_ms, kNowMs);
}

}  // namespace
}  // namespace polyflake
