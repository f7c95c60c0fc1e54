// What the lease machine asks of the store.
#include <algorithm>
#include <utility>

#include "lease/machine.hpp"
#include "lease/namespace_rules.hpp"
#include "lease/rules.hpp"

namespace polyflake::lease {
namespace {

constexpr std::size_t kSample = 16;                     // node records in one read
constexpr std::size_t kLargeSample = Read::kMostNodes;  // where every node id was used before

}  // namespace

Cas Machine::request() {
  Cas request;
  request.echo = random_.word();
  request.uuid = names_->uuid;
  request.term = names_->term;
  request.layout = settings_.layout;
  request.incarnation = incarnation_;
  request.longest_ms = names_->window_ms + 3 * names_->tolerance_ms;
  return request;
}

Cas Machine::write_names(NamespaceRecord names) {
  Cas request = this->request();
  request.names_nonce = names_->nonce;
  names.nonce = random_.word();
  request.names = std::move(names);
  return request;
}

Cas Machine::make() {
  Cas request;
  request.echo = random_.word();
  request.makes_namespace = true;
  request.layout = settings_.layout;
  request.incarnation = incarnation_;
  request.names = new_namespace(settings_, random_);
  return request;
}

Cas Machine::settle(Time now) {
  NamespaceRecord names = *names_;
  names.settled = true;
  names.incarnation = incarnation_;
  const std::int64_t least_ms = keeps(Rule::settling_keeps_floor) ? names.floor_ms : 0;
  names.floor_ms = std::max(least_ms, wall_ms(now) + quarantine_ms());
  return write_names(std::move(names));
}

Cas Machine::step_over() {
  NamespaceRecord names = *names_;
  ++names.used;
  return write_names(std::move(names));
}

Cas Machine::take(const Candidate& candidate, Time now) {
  const std::int64_t wall_ms = this->wall_ms(now);
  const bool never_used = candidate.node == names_->used;
  Cas request;
  std::int64_t start_ms = std::max(wall_ms, names_->floor_ms);
  if (candidate.nonce) {
    request = this->request();
    if (keeps(Rule::takeover_begins_at_until)) start_ms = std::max(start_ms, candidate.until_ms);
  } else if (keeps(never_used ? Rule::create_in_one_step : Rule::creation_writes_namespace)) {
    // A record that came and went after it was looked for leaves its trace in the namespace alone.
    NamespaceRecord names = *names_;
    if (never_used) ++names.used;
    request = write_names(std::move(names));
  } else {
    request = this->request();
  }
  const bool lost = !candidate.nonce && !never_used;
  if (lost && keeps(Rule::absent_is_quarantined)) start_ms = std::max(wall_ms + quarantine_ms(), names_->floor_ms);
  // Empty before it begins, so that nobody was granted anything beyond the window of a holder that goes on in another reign
  // of the store: not even where that holder's record was deleted for a while in the former reign.
  const bool later = start_ms > wall_ms && keeps(Rule::nothing_before_its_beginning);
  taking_ = {candidate.node, start_ms, later ? start_ms : std::max(start_ms, wall_ms + names_->window_ms)};
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

// Some node ids below `used` at random, and the first that was never used; where there is none, all of them bit by bit.
std::vector<std::uint64_t> Machine::sample(Time now) {
  const std::uint64_t used = std::min(names_->used, settings_.capacity);
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
