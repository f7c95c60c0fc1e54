#include <polyflake/store.hpp>

#include <algorithm>

#include "lease/rules.hpp"

namespace polyflake::lease {

Contents Tables::read(const Read& read, const std::string& incarnation, std::optional<std::int64_t> store_ms) const {
  Contents contents{names, {}, incarnation, store_ms};
  for (const std::uint64_t node : read.nodes) {
    const auto found = nodes.find(node);
    contents.nodes.push_back(found == nodes.end() ? std::nullopt : std::optional(found->second));
  }
  return contents;
}

Outcome Tables::step(const Cas& request, const std::string& incarnation, std::optional<std::int64_t> store_ms) {
  const Outcome outcome = judge(request, incarnation, store_ms);
  if (outcome != Outcome::ok) return outcome;
  if (request.names) names = request.names;
  if (request.node) nodes[*request.node] = request.record;
  return Outcome::ok;
}

Outcome Tables::judge(const Cas& request, const std::string& incarnation, std::optional<std::int64_t> store_ms) const {
  if (request.makes_namespace) {
    if (names) return Outcome::conflict;
  } else {
    if (!names || (names->uuid != request.uuid && keeps(Rule::compare_uuid_and_term))) return Outcome::wrong_namespace;
    if (names->layout != request.layout) return Outcome::layout;
    if (names->term != request.term && keeps(Rule::compare_uuid_and_term)) return Outcome::conflict;
    if (request.names_nonce && names->nonce != *request.names_nonce) return Outcome::conflict;
  }
  if (!request.incarnation.empty() && request.incarnation != incarnation) return Outcome::incarnation;
  const std::int64_t latest_ms = store_ms ? *store_ms + request.longest_ms : INT64_MAX;
  const bool bounded = store_ms && request.bounded && keeps(Rule::store_bounds_windows);
  if (bounded && request.names && names && request.names->floor_ms > std::max(names->floor_ms, latest_ms))
    return Outcome::too_far;
  if (!request.node) return Outcome::ok;
  const auto found = nodes.find(*request.node);
  const NodeRecord* const old = found == nodes.end() ? nullptr : &found->second;
  const bool as_read = old != nullptr ? request.node_nonce == old->nonce : !request.node_nonce;
  if (!as_read && keeps(Rule::compare_nonce)) return Outcome::conflict;
  const std::int64_t old_until_ms = old != nullptr ? old->until_ms : INT64_MIN;
  if (bounded && request.record.until_ms > std::max(old_until_ms, latest_ms)) return Outcome::too_far;
  if (store_ms && old != nullptr && old->owner != request.record.owner && old->until_ms > *store_ms)
    return Outcome::busy;
  return Outcome::ok;
}

}  // namespace polyflake::lease
