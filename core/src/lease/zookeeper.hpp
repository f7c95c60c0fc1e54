// The meaning of ZooKeeper's replies, for leases and counters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "lease/dialect.hpp"
#include "lease/record.hpp"

namespace polyflake::lease::zookeeper {

inline constexpr const char* kIncarnation = "-";

struct Znode {
  std::string data, version;
  std::int64_t mtime_ms = 0;
  bool has_children = false;
};

// Returns what row `i` of a reply to "get" has; nothing if that is missing. Errors:
// store_unavailable.
std::optional<Znode> znode_at(const Reply& reply, std::size_t i);

// Returns the fields of a record in a node; fields that no record has if its data is none.
std::optional<Fields> fields_in(const FieldNames& table, const std::optional<Znode>& znode);

// Returns true if a "multi" was carried out, false if it was refused. Errors: store_unavailable.
bool is_done(const Reply& reply);

}  // namespace polyflake::lease::zookeeper
