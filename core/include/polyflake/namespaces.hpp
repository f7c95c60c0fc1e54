// What operators do with a namespace of a store: make it, look who holds its node ids, move it on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <polyflake/layout.hpp>
#include <polyflake/lease.hpp>
#include <polyflake/store.hpp>

namespace polyflake {

// Makes the namespace; nothing where there is one already, of this layout. Returns its uuid.
// fresh: none of its name ever was, so its first window need not wait for any that might have been lost.
// Blocks: I/O of the store. Errors: layout_mismatch, store_unavailable, option_invalid, clock_skew.
std::string init_namespace(Store& store, const Layout& layout, const LeaseOptions& options = {}, bool fresh = false);

// Sets the time before which no window begins and a new term: no request of before writes again. After a store was restored, before
// clients are let in; or to move in from another system, whose last id lies below it. An earlier floor than the recorded one is
// written with `lower` alone, at least W + 2S from now: the way back after a host with a wild clock has closed the namespace.
// Blocks: I/O of the store. Errors: namespace_not_initialised, layout_mismatch, store_unavailable, field_out_of_range outside
// the time of the layout.
void raise_floor(Store& store, const Layout& layout, std::int64_t unix_ms, bool lower = false);

// Who holds node ids now, in their order. Blocks: I/O of the store. Errors: as raise_floor().
std::vector<LeaseInfo> leases(Store& store, const Layout& layout);

}  // namespace polyflake
