// Real stores that use the clock of the test: commands or replies have that time instead of the server's.
#pragma once

#include <polyflake/redis_carrier.hpp>
#ifdef POLYFLAKE_ETCD
#include <polyflake/etcd_carrier.hpp>
#endif
#ifdef POLYFLAKE_POSTGRESQL
#include <polyflake/postgresql_carrier.hpp>
#endif
#ifdef POLYFLAKE_ZOOKEEPER
#include <polyflake/zookeeper_carrier.hpp>
#endif

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "../core/test_servers.hpp"
#include "../faults/system_calls.hpp"

namespace polyflake::test {

// Changes a command before it is sent, and the reply to it.
struct ClockOfStore {
  void (*in_command)(lease::Command& command);
  void (*in_reply)(const lease::Command& command, lease::Reply& reply);
};

template <class CarrierOfStore>
class OnTestClock final : public Carrier {
 public:
  OnTestClock(const std::string& address, ClockOfStore clock) : carrier_(address), clock_(clock) {}

  lease::Reply carry(const lease::Command& command, std::int64_t timeout_ms) override {
    lease::Command timed = command;
    if (clock_.in_command != nullptr) clock_.in_command(timed);
    lease::Reply reply = carrier_.carry(timed, timeout_ms);
    if (clock_.in_reply != nullptr) clock_.in_reply(timed, reply);
    return reply;
  }
  void drop() override { carrier_.drop(); }
  void forked() override { carrier_.forked(); }

 private:
  CarrierOfStore carrier_;
  const ClockOfStore clock_;
};

inline void replace_all(lease::Command& command, const std::string& text, const std::string& by) {
  for (auto& part : command.parts) {
    for (std::string& word : part) {
      for (std::size_t at = 0; (at = word.find(text, at)) != std::string::npos; at += by.size())
        word.replace(at, text.size(), by);
    }
  }
}

inline void put_time_into_script(lease::Command& command) {
  const std::int64_t now_ms = clock_now_ms();
  replace_all(command, "redis.call('TIME')",
              "{'" + std::to_string(now_ms / 1000) + "', '" + std::to_string(now_ms % 1000 * 1000) + "'}");
}

inline void put_time_into_sql(lease::Command& command) {
  replace_all(command, "clock_timestamp()",
              "(timestamptz 'epoch' + interval '" + std::to_string(clock_now_ms()) + " milliseconds')");
}

// The date of an answer, to the second.
inline void put_time_into_date(const lease::Command&, lease::Reply& reply) {
  reply.front().at(3) = std::to_string(clock_now_ms() / 1000 * 1000);
}

// The time of the last write to the probe.
inline void put_time_into_probe(const lease::Command& command, lease::Reply& reply) {
  const std::string probe = "/probe";
  for (std::size_t i = 0; command.name == "get" && i < reply.size(); ++i) {
    const std::string& path = command.parts.at(i).front();
    const bool is_probe = path.size() > probe.size() && path.substr(path.size() - probe.size()) == probe;
    if (is_probe && !reply[i].empty()) reply[i].at(2) = std::to_string(clock_now_ms());
  }
}

template <class CarrierOfStore>
std::shared_ptr<Store> store_on_test_clock(const char* kind, const std::string& name, ClockOfStore clock) {
  return carried_store(kind, name, std::make_shared<OnTestClock<CarrierOfStore>>(address_of(kind), clock));
}

}  // namespace polyflake::test
