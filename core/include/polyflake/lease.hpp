// Leases: node ids that a common store hands out to hosts, each to one holder at a time.
//
//   auto store = std::make_shared<MyStore>(...);                     // see store.hpp: two calls
//   init_namespace(*store, "polyflake");                             // once, by an operator
//   Generator generator(Options{Worker(store)});                     // from then on, anywhere
//
// docs/leases.md lists the promises for each store, and their limits. Each generator has a thread
// of its own that talks to the store; calls for ids never do.
#pragma once

#include <cstdint>
#include <string>

namespace polyflake {

// All times are below 2^31 ms.
struct LeaseOptions {
  enum class AutoInit { no, yes };

  std::string uuid;                   // UUID that the namespace must have, 32 hex digits; "": any
  AutoInit auto_init = AutoInit::no;  // makes the namespace if it is missing
  // Node ids are granted this far ahead of the clock; at least three ticks. Used only if this
  // generator makes the namespace.
  std::int64_t window_ms = 10'000;
  // The largest difference between clocks; below window_ms. Used only if this generator makes the
  // namespace.
  std::int64_t tolerance_ms = 500;
  std::int64_t acquire_timeout_ms = 30'000;  // how long opening may take to get a node id
  std::int64_t renew_wait_ms = 1000;         // how long a call for an id waits for a late window
  bool label = true;                         // the records contain host and pid, for people
};

// A node id that a generator holds.
struct LeaseInfo {
  std::uint64_t node;
  std::int64_t until_ms;  // Unix ms
  std::string label;      // of the holder: host and pid, or ""; untrusted
};

}  // namespace polyflake
