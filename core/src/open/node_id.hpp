// Checks of requested node ids: they must fit the layout and keep generated ids below 2^63.
#pragma once

#include <polyflake/layout.hpp>
#include <polyflake/worker.hpp>

#include <cstdint>

namespace polyflake {

// Returns the number as a node id. Errors: field_out_of_range.
std::uint64_t checked_node_id(const Layout& layout, std::uint64_t number);
std::uint64_t node_id_of(const Layout& layout, std::int64_t number);

// Returns the node id of these fields. Errors: worker_source_invalid if a node field has no number,
// field_out_of_range, unknown_field.
std::uint64_t node_id_of(const Layout& layout, const Worker::Fields& fields);

}  // namespace polyflake
