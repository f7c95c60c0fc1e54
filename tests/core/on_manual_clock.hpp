// A generator whose ticks last until the test ends them.
#pragma once

#include <polyflake/polyflake.hpp>

#include <cstdint>
#include <memory>
#include <utility>

namespace polyflake::test {

constexpr std::int64_t kNow = 1'767'225'600'000;

// Its clock moves by hand, and ticks begin at sequence 0. Threads with reserves have them from their second id on.
struct OnManualClock {
  std::shared_ptr<ManualClock> clock = std::make_shared<ManualClock>(kNow);
  Generator generator;

  explicit OnManualClock(Options options) : generator(with(std::move(options), clock)) {}
  static Options with(Options options, const std::shared_ptr<ManualClock>& clock) {
    options.clock = clock;
    options.sequence_spread = 1;
    return options;
  }
  std::uint64_t tick() const {
    return static_cast<std::uint64_t>((clock->time_ms() - generator.layout().epoch_ms()) /
                                      generator.layout().tick_ms());
  }
  void begin_a_tick() { clock->advance(generator.layout().tick_ms()); }
};

}  // namespace polyflake::test
