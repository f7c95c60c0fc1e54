// What dialects share in reading a reply.
#pragma once

#include <string>

#include "lease/dialect.hpp"
#include "lease/record.hpp"

namespace polyflake::lease {

// Errors: store_unavailable, naming what was expected.
[[noreturn]] void misunderstood(const std::string& what);

// Field `i` of a row. Errors: as misunderstood().
const std::string& text_at(const Row& row, std::size_t i);
std::int64_t ms_at(const Row& row, std::size_t i);

// `n` fields from `from` on; nothing where the first one is absent or empty.
std::optional<Fields> fields_at(const Row& row, std::size_t from, std::size_t n);

// Errors: as misunderstood(), where there is something else in its place.
std::optional<NamespaceRecord> namespace_in(const std::optional<Fields>& fields);
// What is not a record of this library is nobody's to take: a record that is held for ever.
std::optional<NodeRecord> node_in(const std::optional<Fields>& fields);

}  // namespace polyflake::lease
