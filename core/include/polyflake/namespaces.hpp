// Operators' functions for a namespace of a store: make it, list the holders of its node ids, move
// its floor.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <polyflake/layout.hpp>
#include <polyflake/lease.hpp>
#include <polyflake/store.hpp>

namespace polyflake {

// Makes the namespace; does nothing if there is already one with this layout. Returns its UUID.
// fresh: the caller vouches that no namespace of this name ever existed, so its first window need
// not wait for windows that might have been lost.
// Blocks: I/O of the store. Errors: layout_mismatch, store_unavailable, option_invalid, clock_skew.
std::string init_namespace(Store& store, const Layout& layout, const LeaseOptions& options = {}, bool fresh = false);

// Sets the floor (the time before which no window begins) and starts a new term, so that requests
// sent earlier can no longer write. Use it after a store was restored, before clients are let in;
// or to move in from another system whose last id lies below it. A floor before the recorded one
// needs `lower`, and even then is at least window_ms + 2 * tolerance_ms in the future. Use `lower`
// after a host with a badly wrong clock has pushed the floor too far ahead.
// Blocks: I/O of the store. Errors: namespace_not_initialised, layout_mismatch, store_unavailable,
// field_out_of_range outside the time of the layout.
void raise_floor(Store& store, const Layout& layout, std::int64_t unix_ms, bool lower = false);

// Returns the present holders of node ids, in order of node id. Blocks: I/O of the store. Errors:
// as raise_floor().
std::vector<LeaseInfo> leases(Store& store, const Layout& layout);

}  // namespace polyflake
