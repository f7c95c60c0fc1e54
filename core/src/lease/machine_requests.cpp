// The lease machine's requests to the store.
#include <algorithm>
#include <utility>

#include "lease/machine.hpp"
#include "lease/namespace_rules.hpp"
#include "lease/rules.hpp"

namespace polyflake::lease {
namespace {

constexpr std::size_t kSample = 16;                     // node records in one read
constexpr std::size_t kLargeSample = Read::kMostNodes;  // once every node id was used before

}  // namespace

Cas Machine::request() {
  Cas request;
  request.echo = random_.word();
  request.uuid = space_->uuid;
  request.term = space_->term;
  request.layout = settings_.layout;
  request.incarnation = incarnation_;
  request.longest_ms = space_->window_ms + 3 * space_->tolerance_ms;
  return request;
}

Cas Machine::write_space(NamespaceRecord space) {
  Cas request = this->request();
  request.space_nonce = space_->nonce;
  space.nonce = random_.word();
  request.space = std::move(space);
  return request;
}

Cas Machine::make() {
  Cas request;
  request.echo = random_.word();
  request.makes_namespace = true;
  request.layout = settings_.layout;
  request.incarnation = incarnation_;
  request.space = new_namespace(settings_, random_);
  return request;
}

Cas Machine::settle(Time now) {
  NamespaceRecord space = *space_;
  space.settled = true;
  space.incarnation = incarnation_;
  const std::int64_t least_ms = keeps(Rule::settling_keeps_floor) ? space.floor_ms : 0;
  space.floor_ms = std::max(least_ms, wall_ms(now) + quarantine_ms());
  return write_space(std::move(space));
}

Cas Machine::step_over() {
  NamespaceRecord space = *space_;
  ++space.used;
  return write_space(std::move(space));
}

Cas Machine::take(const Candidate& candidate, Time now) {
  const std::int64_t wall_ms = this->wall_ms(now);
  const bool never_used = candidate.node == space_->used;
  Cas request;
  std::int64_t start_ms = std::max(wall_ms, space_->floor_ms);
  if (candidate.nonce) {
    request = this->request();
    if (keeps(Rule::takeover_begins_at_until)) start_ms = std::max(start_ms, candidate.until_ms);
  } else if (keeps(never_used ? Rule::create_in_one_step : Rule::creation_writes_namespace)) {
    // If a record was made and deleted since the read, only the namespace shows it.
    NamespaceRecord space = *space_;
    if (never_used) ++space.used;
    request = write_space(std::move(space));
  } else {
    request = this->request();
  }
  const bool lost = !candidate.nonce && !never_used;
  if (lost && keeps(Rule::absent_is_quarantined)) start_ms = std::max(wall_ms + quarantine_ms(), space_->floor_ms);
  // A window that begins later is requested empty. So it grants nothing beyond the window of a
  // holder that continues in another reign of the store, even if that holder's record was deleted
  // for a while in the former reign.
  const bool later = start_ms > wall_ms && keeps(Rule::nothing_before_its_beginning);
  taking_ = {candidate.node, start_ms, later ? start_ms : std::max(start_ms, wall_ms + space_->window_ms)};
  request.node = candidate.node;
  request.node_nonce = candidate.nonce;
  request.record = {random_.word(), random_.word(), settings_.layout, taking_.until_ms, settings_.label};
  return request;
}

Cas Machine::write_own(std::int64_t until_ms) {
  Cas request = this->request();
  if (!keeps(Rule::renewals_carry_incarnation)) request.incarnation.clear();
  request.node = held_->window.node;
  request.node_nonce = held_->nonce;
  request.record = {random_.word(), held_->owner, settings_.layout, until_ms, settings_.label};
  return request;
}

// Returns some node ids below `used` at random, and the first that was never used. If there is
// none, goes through all of them in parts.
std::vector<std::uint64_t> Machine::sample(Time now) {
  const std::uint64_t used = std::min(space_->used, settings_.capacity);
  const bool any_new = used < settings_.capacity;
  sampled_.clear();
  const auto add = [&](std::uint64_t node) {
    const bool own = held_ && held_->window.node == node && now.wall_ms < held_->window.until_ms;
    if (!own && std::find(sampled_.begin(), sampled_.end(), node) == sampled_.end()) sampled_.push_back(node);
  };
  if (!any_new) {
    if (looked_at_ == 0) next_ = random_.below(used);
    const std::uint64_t part = std::min<std::uint64_t>(used, kLargeSample);
    for (std::uint64_t i = 0; i < part; ++i) add(next_++ % used);
    looked_at_ += part;
    return sampled_;
  }
  if (used <= kSample) {
    for (std::uint64_t node = 0; node < used; ++node) add(node);
  } else {
    while (sampled_.size() < kSample / 2) add(random_.below(used));
  }
  sampled_.push_back(used);
  return sampled_;
}

}  // namespace polyflake::lease
