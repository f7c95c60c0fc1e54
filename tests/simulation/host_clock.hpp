// A host's clock, by true time.
#pragma once

#include <polyflake/clock.hpp>

#include <cstdint>

namespace polyflake::simulation {

class HostClock final : public Clock {
 public:
  explicit HostClock(const std::int64_t& true_ms) : true_ms_(true_ms) {}
  std::int64_t now_ms() const override { return true_ms_ + offset_ms; }
  std::int64_t ns_until(std::int64_t unix_ms) const override {
    return unix_ms > now_ms() ? (unix_ms - now_ms()) * 1'000'000 : 0;
  }
  bool advance_to(std::int64_t) override { return false; }

  std::int64_t offset_ms = 0;

 private:
  const std::int64_t& true_ms_;
};

}  // namespace polyflake::simulation
