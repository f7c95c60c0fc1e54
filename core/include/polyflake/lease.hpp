// Leases: node ids that hosts share through a store, so that no two of them ever issue the same id.
//
//   auto store = std::make_shared<MyStore>(...);                     // see store.hpp: two calls
//   init_namespace(*store, "polyflake");                             // once, by an operator
//   Generator generator(Options{Worker(store)});                     // from then on, anywhere
//
// What is promised for which store, and what is not: docs/leases.md. A thread of its own talks to the store, one for each
// generator that is opened; calls for ids never do.
#pragma once

#include <cstdint>
#include <string>

namespace polyflake {

// All times are below 2^31 ms.
struct LeaseOptions {
  enum class AutoInit { no, yes };

  std::string uuid;                   // which the namespace must have, 32 hex digits; "": any
  AutoInit auto_init = AutoInit::no;  // makes the namespace if it is missing
  std::int64_t window_ms = 10'000;    // how far ahead node ids are granted, in a namespace that is made; at least
                                      // three ticks
  std::int64_t tolerance_ms = 500;    // by how much clocks may differ, in a namespace that is made; below window_ms
  std::int64_t acquire_timeout_ms = 30'000;  // how long opening may take to get a node id
  std::int64_t renew_wait_ms = 1000;         // how long a call for an id waits for a window that is late
  bool label = true;                         // host and pid stand in the records, for people
};

// A node id that is held.
struct LeaseInfo {
  std::uint64_t node;
  std::int64_t until_ms;  // Unix ms
  std::string label;      // of the holder: host and pid, or ""; untrusted
};

}  // namespace polyflake
