// Node ids that are asked for: numbers that have a place in the layout and keep generated ids below 2^63.
#pragma once

#include <polyflake/layout.hpp>
#include <polyflake/worker.hpp>

#include <cstdint>

namespace polyflake {

// Errors: field_out_of_range.
std::uint64_t checked_node_id(const Layout& layout, std::uint64_t number);
std::uint64_t node_id_of(const Layout& layout, std::int64_t number);

// Errors: worker_source_invalid where a node field has no number, field_out_of_range, unknown_field.
std::uint64_t node_id_of(const Layout& layout, const Worker::Fields& fields);

}  // namespace polyflake
