#include <polyflake/store.hpp>

#include <algorithm>

#include "lease/rules.hpp"

namespace polyflake::lease {
namespace {

// Returns what the namespace says to a request: ok, or why it may not be carried out.
Outcome judge_namespace(const std::optional<NamespaceRecord>& space, const Cas& request) {
  if (request.makes_namespace) return space ? Outcome::conflict : Outcome::ok;
  if (!space || !holds(Rule::compare_uuid_and_term, space->uuid == request.uuid)) return Outcome::wrong_namespace;
  if (space->layout != request.layout) return Outcome::layout;
  if (!holds(Rule::compare_uuid_and_term, space->term == request.term)) return Outcome::conflict;
  const bool as_read = !request.space_nonce || space->nonce == *request.space_nonce;
  return as_read ? Outcome::ok : Outcome::conflict;
}

// Returns what the record of the node id says to it. old: null if there is none; latest_ms: the
// last end of a window that the store allows.
Outcome judge_node(const NodeRecord* old, const Cas& request, std::optional<std::int64_t> store_ms,
                   std::int64_t latest_ms) {
  const bool as_read = old != nullptr ? request.node_nonce == old->nonce : !request.node_nonce;
  if (!holds(Rule::compare_nonce, as_read)) return Outcome::conflict;
  const std::int64_t old_until_ms = old != nullptr ? old->until_ms : INT64_MIN;
  if (request.record.until_ms > std::max(old_until_ms, latest_ms)) return Outcome::too_far;
  const bool takes_over = old != nullptr && old->owner != request.record.owner;
  return takes_over && store_ms && old_until_ms > *store_ms ? Outcome::busy : Outcome::ok;
}

// Without these two rules a request names no incarnation.
bool says_none(const Cas& request) {
  return request.incarnation.empty() &&
         !(keeps(Rule::renewals_carry_incarnation) && keeps(Rule::begin_again_at_incarnation));
}

}  // namespace

Contents Tables::read(const Read& read, const std::string& incarnation, std::optional<std::int64_t> store_ms) const {
  Contents contents{space, {}, incarnation, store_ms};
  for (const std::uint64_t node : read.nodes) {
    const auto found = nodes.find(node);
    contents.nodes.push_back(found == nodes.end() ? std::nullopt : std::optional(found->second));
  }
  return contents;
}

Outcome Tables::step(const Cas& request, const std::string& incarnation, std::optional<std::int64_t> store_ms) {
  const Outcome outcome = judge(request, incarnation, store_ms);
  if (outcome != Outcome::ok) return outcome;
  if (request.space) space = request.space;
  if (request.node) nodes[*request.node] = request.record;
  return Outcome::ok;
}

Outcome Tables::judge(const Cas& request, const std::string& incarnation, std::optional<std::int64_t> store_ms) const {
  const Outcome of_namespace = judge_namespace(space, request);
  if (of_namespace != Outcome::ok) return of_namespace;
  if (request.incarnation != incarnation && !says_none(request)) return Outcome::incarnation;
  const bool is_bounded = store_ms && request.bounded && keeps(Rule::store_bounds_windows);
  const std::int64_t latest_ms = is_bounded ? *store_ms + request.longest_ms : INT64_MAX;
  const bool moves_floor = request.space && space;
  if (moves_floor && request.space->floor_ms > std::max(space->floor_ms, latest_ms)) return Outcome::too_far;
  if (!request.node) return Outcome::ok;
  const auto found = nodes.find(*request.node);
  return judge_node(found == nodes.end() ? nullptr : &found->second, request, store_ms, latest_ms);
}

}  // namespace polyflake::lease
