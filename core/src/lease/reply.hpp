// Shared by dialects: reading a reply.
#pragma once

#include <string>

#include "lease/dialect.hpp"
#include "lease/record.hpp"

namespace polyflake::lease {

// Raises store_unavailable, naming what was expected.
[[noreturn]] void misunderstood(const std::string& what);

// Returns field `i` of a row. Errors: as misunderstood().
const std::string& text_at(const Row& row, std::size_t i);
std::int64_t ms_at(const Row& row, std::size_t i);

// Returns `n` fields from `from` on; nothing if the first one is absent or empty.
std::optional<Fields> fields_at(const Row& row, std::size_t from, std::size_t n);

// Returns the namespace; nothing if there is no record. Errors: as misunderstood(), if it is not a
// record of this library.
std::optional<NamespaceRecord> namespace_in(const std::optional<Fields>& fields);
// Returns the node's record; nothing if there is none. Anything else in its place is returned as a
// record held for ever, so that no lease takes it.
std::optional<NodeRecord> node_in(const std::optional<Fields>& fields);

}  // namespace polyflake::lease
