// A store that fails as stores do: it loses what it acknowledged, splits in two, comes back, and forgets single records.
#pragma once

#include <polyflake/store.hpp>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "lease/rules.hpp"
#include "simulation/dice.hpp"

namespace polyflake::simulation {

// What a kind of store offers beside the step itself.
struct Kind {
  const char* name;
  bool has_clock;              // and refuses by it
  bool has_incarnation;        // names its reign; without one, an operator raises the floor after a loss
  bool counts_writes = false;  // so that a holder sees the fall of the count where an old dump was put back
};

class FaultyStore {
 public:
  FaultyStore(Kind kind, Dice& dice) : kind_(kind), dice_(dice) {
    if (kind.has_incarnation) begin_reign(main_, 0);
  }

  // `aside`: asked by a host that reaches the other primary, where there are two.
  lease::Contents read(const lease::Read& read, bool aside, std::int64_t true_ms) const {
    const Reign& reign = aside && other_ ? *other_ : main_;
    lease::Contents contents = reign.tables.read(read, reign.incarnation, store_ms(true_ms));
    if (kind_.counts_writes) contents.revision = reign.revision;
    return contents;
  }

  lease::Answer cas(lease::Cas request, bool aside, std::int64_t true_ms) {
    Reign& reign = aside && other_ ? *other_ : main_;
    const auto store_ms = this->store_ms(true_ms);
    const bool by_version = !lease::keeps(lease::Rule::nonce_not_version);
    if (by_version) take_version_for_nonce(request, reign.tables);
    const std::uint64_t version = by_version ? next_version(request, reign.tables) : 0;
    const auto revision = revision_for(request, reign);
    // Operators let nothing in before they have raised the floor; but holders see what is there.
    if (put_back_) return {lease::Outcome::conflict, request.echo, store_ms, revision};
    lease::Outcome outcome = reign.tables.step(request, reign.incarnation, store_ms);
    if (outcome == lease::Outcome::ok) ++reign.revision;
    if (by_version && outcome == lease::Outcome::ok) versions_[request.record.nonce.low] = version;
    // Whoever waits for a majority never hears from such a primary that it is done.
    const bool alone = &reign != &main_ && lease::keeps(lease::Rule::isolated_primaries_do_not_count);
    if (alone && outcome == lease::Outcome::ok) outcome = lease::Outcome::unknown;
    return {outcome, request.echo, store_ms, revision};
  }

  void remember() {
    history_.push_back(main_);
    if (history_.size() > 12) history_.pop_front();
  }

  // A replica, or a backup, that lacks the last writes.
  void fail_over(std::int64_t floor_ms) {
    main_ = lagging();
    begin_reign(main_, floor_ms);
  }

  // The same, of one that lacks a grant, if there is such.
  void fail_over_before_a_grant(std::int64_t floor_ms) {
    main_ = lacking_a_grant();
    begin_reign(main_, floor_ms);
  }
  // Whether the request is for a node id that its sender does not hold.
  bool grants(const lease::Cas& request) const {
    return request.node && request.record.owner != owner_of(*request.node, main_.tables);
  }

  // An old dump takes the place of the store, and nothing is written before reopen().
  void put_back() {
    Reign dump = lagging();
    if (!dump.tables.space) return;
    main_ = std::move(dump);
    put_back_ = true;
  }
  // An operator raises the floor.
  void reopen(std::int64_t floor_ms) {
    if (!std::exchange(put_back_, false)) return;
    begin_reign(main_, floor_ms);
    ++main_.revision;
  }

  // A replica takes over, and the former primary goes on by itself: nothing that it writes counts from now on.
  void split(std::int64_t floor_ms) {
    if (other_) return;
    other_ = main_;
    fail_over(floor_ms);
  }

  // A replica takes over, and others do not follow it yet: what it writes does not count before promote(), and what the former
  // primary writes counts until then. Only where its name says so: elsewhere an operator lets nobody in before.
  void offer() {
    if (other_ || !kind_.has_incarnation) return;
    other_ = dice_.percent(50) ? lacking_a_grant() : lagging();
    begin_reign(*other_, 0);
    offered_ = true;
  }

  void promote() {
    if (!offered_) return;
    std::swap(main_, *other_);
    offered_ = false;
  }

  // The other primary is given up, or becomes the only one again.
  void heal(std::int64_t floor_ms) {
    promote();
    if (!other_) return;
    if (dice_.percent(30)) {
      const std::string its_name = other_->incarnation;
      main_ = *other_;
      begin_reign(main_, floor_ms);
      // A name of the process alone is the same as before it was left behind.
      if (!lease::keeps(lease::Rule::incarnation_names_a_reign)) main_.incarnation = its_name;
    }
    other_.reset();
  }

  void forget(std::uint64_t node) { main_.tables.nodes.erase(node); }
  // One of them, or all.
  void forget_nodes(bool all) {
    auto& nodes = main_.tables.nodes;
    if (nodes.empty()) return;
    if (all) return nodes.clear();
    nodes.erase(std::next(nodes.begin(), static_cast<long>(dice_.below(nodes.size()))));
  }

  // A replica that nothing reaches from now on, until it takes over. False where there is none.
  void keep_for_later() {
    if (!kept_) kept_ = main_.tables;
  }
  bool keeps_one() const { return kept_.has_value(); }
  bool fail_over_to_kept(std::int64_t floor_ms) {
    if (!kept_) return false;
    main_.tables = *std::exchange(kept_, std::nullopt);
    begin_reign(main_, floor_ms);
    return true;
  }

  // Emptied by hand or by mistake.
  void forget_all() { main_.tables = {}; }

  bool has_two() const { return other_.has_value(); }
  const lease::Tables& tables() const { return main_.tables; }

 private:
  struct Reign {
    lease::Tables tables;
    std::string incarnation;  // empty if the store has none
    std::int64_t revision = 1;
  };

  // As the adapters give it: none after a new term.
  std::optional<std::int64_t> revision_for(const lease::Cas& request, const Reign& reign) const {
    const auto& space = reign.tables.space;
    const bool moved_on = space && !request.makes_namespace && !(space->term == request.term);
    return kind_.counts_writes && !moved_on ? std::optional(reign.revision) : std::nullopt;
  }

  std::optional<std::int64_t> store_ms(std::int64_t true_ms) const {
    return kind_.has_clock ? std::optional(true_ms) : std::nullopt;
  }

  static lease::Word owner_of(std::uint64_t node, const lease::Tables& tables) {
    const auto found = tables.nodes.find(node);
    return found == tables.nodes.end() ? lease::Word{} : found->second.owner;
  }

  Reign lagging() {
    if (history_.empty()) return main_;
    Reign reign = history_[dice_.percent(50) ? history_.size() - 1 : dice_.below(history_.size())];
    reign.incarnation = main_.incarnation;
    return reign;
  }

  Reign lacking_a_grant() {
    const auto lacks_one = [this](const lease::Tables& tables) {
      const auto& nodes = main_.tables.nodes;
      return tables.space && std::any_of(nodes.begin(), nodes.end(), [&](const auto& node) {
               return owner_of(node.first, tables) != node.second.owner;
             });
    };
    const auto found =
        std::find_if(history_.rbegin(), history_.rend(), [&](const Reign& reign) { return lacks_one(reign.tables); });
    if (found == history_.rend()) return lagging();
    Reign reign = *found;
    reign.incarnation = main_.incarnation;
    return reign;
  }

  void begin_reign(Reign& reign, std::int64_t floor_ms) {
    if (kind_.has_incarnation) {
      reign.incarnation = std::to_string(++reigns_);
      return;
    }
    if (!reign.tables.space) return;
    reign.tables.space->floor_ms = std::max(reign.tables.space->floor_ms, floor_ms);
    reign.tables.space->term = dice_.word();
    reign.tables.space->nonce = dice_.word();
  }

  // Versions of node records, as stores count them: from 1 again after a record was deleted.
  std::uint64_t next_version(const lease::Cas& request, const lease::Tables& tables) {
    const auto old = tables.nodes.find(request.node.value_or(0));
    return request.node && old != tables.nodes.end() ? versions_[old->second.nonce.low] + 1 : 1;
  }

  void take_version_for_nonce(lease::Cas& request, const lease::Tables& tables) {
    const auto old = tables.nodes.find(request.node.value_or(0));
    if (!request.node || !request.node_nonce || old == tables.nodes.end()) return;
    if (versions_[request.node_nonce->low] == versions_[old->second.nonce.low]) request.node_nonce = old->second.nonce;
  }

  const Kind kind_;
  Dice& dice_;
  Reign main_;
  std::optional<Reign> other_;
  bool offered_ = false;  // the other one is to be the main one
  bool put_back_ = false;
  std::deque<Reign> history_;
  std::optional<lease::Tables> kept_;
  std::map<std::uint64_t, std::uint64_t> versions_;  // by nonce
  int reigns_ = 0;
};

}  // namespace polyflake::simulation
