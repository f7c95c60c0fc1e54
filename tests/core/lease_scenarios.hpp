// The scenarios of tests/vectors/lease-scenarios.json, for any store. The format is described in tests/vectors/README.md; no
// store is excepted.
#pragma once

#include <polyflake/store.hpp>

#include <nlohmann/json.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "open/lease.hpp"

namespace polyflake::test {

using Json = nlohmann::json;

// One process that talks to a store, and what it remembers.
class Client {
 public:
  // now_ms: this host's time in Unix ms, for stores without a clock.
  Client(std::shared_ptr<Store> store, std::int64_t now_ms) : store_(std::move(store)), now_ms_(now_ms) {}

  // Returns "names", the record of the namespace, and those of these nodes: each its fields, or "absent". Keeps the incarnation
  // and the time of the answer for later requests. Errors: those of the store.
  Json read(const Json& nodes);

  // Returns the outcome: "ok", "conflict", ..., or "unknown: " and why. Names are those of lease::Cas ("makes_namespace", "uuid",
  // "names_nonce", "node", ...), and those of the fields of records after "names." and "record.". Words are 32 hex digits. A time
  // with + or - in front is relative to the store's time, or this host's if the store has none. incarnation: "present" is the one
  // read last. Errors: any exception, for an unknown name or value.
  std::string cas(const Json& assignments);

  // Creates nodes beside others that do so; returns the nonces of those that this client has created, by node.
  Json create(std::size_t count);

 private:
  lease::Cas made_of(const Json& assignments);
  std::string time_of(const std::string& text) const;

  const std::shared_ptr<Store> store_;
  lease::SystemRandom random_;
  std::string incarnation_;
  std::int64_t now_ms_;
};

// Gives the store of a namespace, for a client by this name.
using MakeStore = std::function<std::shared_ptr<Store>(const std::string& name, const std::string& client)>;

struct Passed {
  std::size_t meant = 0;  // scenarios that are for this kind of store
  std::vector<std::string> failures;
};

// Carries out each scenario of the file that is for this kind of store, in namespaces that begin with `prefix`.
Passed run_scenarios(const std::string& file, const std::string& kind, const std::string& prefix, std::int64_t now_ms,
                     const MakeStore& make_store);

}  // namespace polyflake::test
