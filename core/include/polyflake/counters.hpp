// Operators' functions for the counters of a store: make one, set one, list them. Thread safety:
// any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <polyflake/counter_options.hpp>
#include <polyflake/counter_state.hpp>
#include <polyflake/counter_store.hpp>

namespace polyflake {

// Makes a counter, in a namespace that init_namespace() made: its first number is after + 1. Does
// nothing if there is already one of the same shape. `after` has no default: give the last number
// of the table that the counter feeds, since it would begin at that again if the store were
// flushed. Blocks: I/O of the store. Errors: option_invalid, namespace_not_initialised,
// layout_mismatch, store_unavailable, time_exhausted.
void init_counter(CounterStore& store, const std::string& name, std::uint64_t after,
                  const CounterOptions& options = {});

// Sets a counter: an operator vouches that no number above `after` was or will be given out, after
// a store was restored or a counter went back. The next number is after + 1, also if that is lower.
// Processes that refused the counter go on by themselves. period: that of `after`, of a date, such
// as 20230414: refused once it is over, so that no script which meets midnight sets another one.
// Nothing: the present one.
// Blocks: I/O of the store. Errors: as init_counter().
void raise_counter(CounterStore& store, const std::string& name, std::uint64_t after,
                   std::optional<std::uint64_t> period = std::nullopt);

// Returns the counters of the store's namespace, by name, and where each would go on after a
// failover now. Writes nothing. Blocks: I/O of the store, once for each counter. Errors:
// namespace_not_initialised, store_unavailable.
std::vector<CounterState> counters(CounterStore& store);

}  // namespace polyflake
