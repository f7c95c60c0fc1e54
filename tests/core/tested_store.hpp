// The store of a program of tests, which its own source defines: redis_carrier_test.cpp and so on.
#pragma once

#include <polyflake/carrier.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "test_servers.hpp"

namespace polyflake::test {

struct TestedStore {
  const char* kind;
  const char* server;  // its name in tests/servers
  int requests;        // random ones to a counter
  std::shared_ptr<Carrier> (*carrier)(const std::string& address);
  lease::Command harmless;  // which any server answers without a failure
  bool takes_many_hosts;
};

extern const TestedStore kTestedStore;

inline constexpr std::int64_t kLongMs = 60'000;  // for what must succeed

// Gives each command the time that it needs beside other work: for tests that are about something else.
class PatientCarrier final : public Carrier {
 public:
  explicit PatientCarrier(std::shared_ptr<Carrier> carrier) : carrier_(std::move(carrier)) {}

  lease::Reply carry(const lease::Command& command, std::int64_t) override { return carrier_->carry(command, kLongMs); }
  void drop() override { carrier_->drop(); }
  void set_up(const std::vector<std::string>& statements) override { carrier_->set_up(statements); }
  void forked() override { carrier_->forked(); }

 private:
  const std::shared_ptr<Carrier> carrier_;
};

inline std::shared_ptr<CarriedStore> patient_store_at(const std::string& address, const std::string& name,
                                                      const std::string& schema = "") {
  return carried_store(kTestedStore.kind, name, std::make_shared<PatientCarrier>(kTestedStore.carrier(address)),
                       schema);
}

inline std::shared_ptr<CarriedStore> store_at(const std::string& address, const std::string& name) {
  return carried_store(kTestedStore.kind, name, kTestedStore.carrier(address));
}

// server: "" for the first one.
inline std::shared_ptr<CarriedStore> store_of_tests(const std::string& name, const std::string& server = "") {
  return store_at(address_of(server.empty() ? kTestedStore.server : server), name);
}

inline std::shared_ptr<CarriedStore> patient_store(const std::string& name) {
  return patient_store_at(address_of(kTestedStore.server), name);
}

}  // namespace polyflake::test
