// The state of a counter as operators see it, from its record. A pure function.
#pragma once

#include <polyflake/counter_state.hpp>
#include <polyflake/counter_store.hpp>

#include <string>

namespace polyflake::count {

// Requires: contents with a namespace and a record.
CounterState state_of(const std::string& name, const Contents& contents);

}  // namespace polyflake::count
