// A store that fails as stores do: it loses what it acknowledged, splits in two, comes back, and forgets single records.
#pragma once

#include <polyflake/store.hpp>

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>

#include "lease/rules.hpp"
#include "simulation/dice.hpp"

namespace polyflake::simulation {

// What a kind of store offers beside the step itself.
struct Kind {
  const char* name;
  bool has_clock;        // and refuses by it
  bool has_incarnation;  // names its reign; without one, an operator raises the floor after a loss
};

class FaultyStore {
 public:
  FaultyStore(Kind kind, Dice& dice) : kind_(kind), dice_(dice) {}

  // `isolated`: asked by a host that reaches a primary which the others have left behind.
  lease::Contents read(const lease::Read& read, bool isolated, std::int64_t true_ms) const {
    const Reign& reign = of(isolated);
    return reign.tables.read(read, reign.incarnation, store_ms(true_ms));
  }

  lease::Answer cas(const lease::Cas& request, bool isolated, std::int64_t true_ms) {
    Reign& reign = of(isolated);
    const auto store_ms = this->store_ms(true_ms);
    lease::Outcome outcome = reign.tables.step(request, reign.incarnation, store_ms);
    const bool left_behind = isolated && isolated_;
    // Whoever waits for a majority never hears from such a primary that it is done.
    if (left_behind && outcome == lease::Outcome::ok && lease::keeps(lease::Rule::isolated_primaries_do_not_count)) {
      outcome = lease::Outcome::unknown;
    }
    return {outcome, request.echo, store_ms};
  }

  void remember(std::int64_t true_ms) {
    history_.emplace_back(true_ms, main_.tables);
    if (history_.size() > 12) history_.pop_front();
  }

  // A replica, or a backup, that lacks the last writes.
  void fail_over(std::int64_t true_ms, std::int64_t floor_ms) {
    if (!history_.empty()) main_.tables = history_[dice_.below(history_.size())].second;
    begin_reign(true_ms, floor_ms);
  }

  void split(std::int64_t true_ms, std::int64_t floor_ms) {
    if (isolated_) return;
    isolated_ = main_;
    fail_over(true_ms, floor_ms);
  }

  // The isolated one is given up, or becomes the only one again.
  void heal(std::int64_t true_ms, std::int64_t floor_ms) {
    if (!isolated_) return;
    if (dice_.percent(30)) {
      const std::string its_name = isolated_->incarnation;
      main_ = *isolated_;
      begin_reign(true_ms, floor_ms);
      // A name of the process alone is the same as before it was left behind.
      if (!lease::keeps(lease::Rule::incarnation_names_a_reign)) main_.incarnation = its_name;
    }
    isolated_.reset();
  }

  void forget_a_node() {
    if (main_.tables.nodes.empty()) return;
    auto one = main_.tables.nodes.begin();
    std::advance(one, static_cast<long>(dice_.below(main_.tables.nodes.size())));
    main_.tables.nodes.erase(one);
  }

  // Emptied by hand or by mistake.
  void forget_all() { main_.tables = {}; }

  bool is_split() const { return isolated_.has_value(); }
  const lease::Tables& tables() const { return main_.tables; }

 private:
  struct Reign {
    lease::Tables tables;
    std::string incarnation = "1";
  };

  Reign& of(bool isolated) { return isolated && isolated_ ? *isolated_ : main_; }
  const Reign& of(bool isolated) const { return isolated && isolated_ ? *isolated_ : main_; }

  std::optional<std::int64_t> store_ms(std::int64_t true_ms) const {
    return kind_.has_clock ? std::optional(true_ms) : std::nullopt;
  }

  void begin_reign(std::int64_t, std::int64_t floor_ms) {
    if (kind_.has_incarnation) {
      main_.incarnation = std::to_string(++reigns_);
      return;
    }
    if (!main_.tables.names) return;
    main_.tables.names->floor_ms = std::max(main_.tables.names->floor_ms, floor_ms);
    main_.tables.names->term = dice_.word();
    main_.tables.names->nonce = dice_.word();
  }

  const Kind kind_;
  Dice& dice_;
  Reign main_;
  std::optional<Reign> isolated_;
  std::deque<std::pair<std::int64_t, lease::Tables>> history_;
  int reigns_ = 1;
};

}  // namespace polyflake::simulation
