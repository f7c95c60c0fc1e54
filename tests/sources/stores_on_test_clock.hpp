// A real Redis that uses the clock of the test: scripts are given that time instead of the server's.
#pragma once

#include <polyflake/redis_carrier.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "../core/redis_servers.hpp"
#include "../faults/system_calls.hpp"

namespace polyflake::test {

class OnTestClock final : public Carrier {
 public:
  explicit OnTestClock(const std::string& address) : redis_(address) {}

  lease::Reply carry(const lease::Command& command, std::int64_t timeout_ms) override {
    constexpr const char* kTime = "redis.call('TIME')";
    lease::Command timed = command;
    for (std::string& word : timed.parts.at(0)) {
      const std::size_t at = word.find(kTime);
      if (at == std::string::npos) continue;
      const std::int64_t now_ms = clock_now_ms();
      word.replace(at, std::string(kTime).size(),
                   "{'" + std::to_string(now_ms / 1000) + "', '" + std::to_string(now_ms % 1000 * 1000) + "'}");
    }
    return redis_.carry(timed, timeout_ms);
  }
  void drop() override { redis_.drop(); }
  void forked() override { redis_.forked(); }

 private:
  RedisCarrier redis_;
};

inline std::shared_ptr<Store> redis_on_test_clock(const std::string& name) {
  return carried_store("redis", name, std::make_shared<OnTestClock>(address_of("redis")));
}

}  // namespace polyflake::test
