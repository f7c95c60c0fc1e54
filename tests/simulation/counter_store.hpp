// A store of one counter that fails as stores do: it loses what it acknowledged, splits in two, is
// restored by hand, and its servers have clocks of their own.
#pragma once

#include <polyflake/counter_store.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "count/rules.hpp"
#include "simulation/dice.hpp"

namespace polyflake::simulation {

constexpr std::int64_t kLongestLagMs = 30'000;  // of a replica, and of a clock that is not kept within the tolerance

struct CounterKind {
  const char* name;
  const char* kind;      // of the counter
  const char* failover;  // of the counter
  bool loses_writes;
  bool may_fail_over = true;
  bool has_clock = true;
  bool lost_states_return = false;  // which is not promised to be safe
};

class FaultyCounterStore {
 public:
  FaultyCounterStore(const CounterKind& kind, std::int64_t tolerance_ms, const std::int64_t& true_ms, Dice& dice)
      : kind_(kind), tolerance_ms_(tolerance_ms), true_ms_(true_ms), dice_(dice) {
    space_.emplace();
    space_->uuid = dice.word();
    space_->tolerance_ms = tolerance_ms;
    for (std::int64_t& offset_ms : offsets_ms_) offset_ms = draw_offset_ms();
    begin_reign();
  }

  // `aside`: asked by a host that reaches the other primary, if there are two.
  count::Contents read(bool aside) const {
    const Reign& reign = aside && other_ ? *other_ : main_;
    const bool put_back = reign.put_back != 0;
    return {space_, reign.record, reign.incarnation, store_ms(reign), kind_.may_fail_over, put_back, std::nullopt, ""};
  }
  // Returns which rows were put back, as an adapter sees it when it reads; 0: none.
  std::uint64_t rows(bool aside) const { return aside && other_ ? other_->put_back : main_.put_back; }

  // read_rows: as the sender read them last. While rows are put back only a head that sets `next` is
  // written, by a process that has read them so.
  template <class Request>
  count::Answer step(Request request, bool aside, std::uint64_t read_rows) {
    const bool alone = aside && other_;
    Reign& reign = alone ? *other_ : main_;
    const bool refused = reign.put_back != 0 && !(sets_next(request) && reign.put_back == read_rows);
    if (!alone && dice_.percent(kRememberPercent)) remember();
    accept_next_for_nonce(request, reign);
    const count::Present present{space_, reign.incarnation, store_ms(reign)};
    count::Answer answer = refused ? count::Answer{count::Outcome::incarnation, request.echo, 0, 0, present.store_ms}
                                   : count::step(reign.record, request, present);
    if (answer.outcome != count::Outcome::ok) return answer;
    if (sets_next(request)) reign.put_back = 0;
    note(request, *reign.record);
    // A client that waits for a majority never hears from such a primary that it is done.
    if (alone) answer.outcome = count::Outcome::unknown;
    return answer;
  }

  // A replica takes over that lacks the last writes, or none.
  void fail_over() {
    const std::size_t server = main_.server;
    lose_writes();
    main_.server = (server + 1 + dice_.below(kServers - 1)) % kServers;
    offsets_ms_[main_.server] = draw_offset_ms();
    begin_reign();
  }

  // The same, of one whose clock is late: it lacks no head, and no process is waiting for another failover.
  void fail_over_to_a_late_clock() {
    if (!is_settled() || kind_.lost_states_return) return;
    const auto lacks_none = [this](const Past& past) { return past.record.head.nonce == main_.record->head.nonce; };
    const auto first = std::find_if(history_.begin(), history_.end(), lacks_none);
    if (first != history_.end() && kind_.loses_writes) go_back_to(static_cast<std::size_t>(first - history_.begin()));
    main_.server = (main_.server + 1) % kServers;
    offsets_ms_[main_.server] = -dice_.between(0, kLongestLagMs);
    begin_reign();
  }

  // A replica takes over, and the former primary goes on by itself: nothing that it writes counts from now on.
  void split() {
    if (other_) return;
    other_ = main_;
    fail_over();
  }
  // The former primary becomes a replica.
  void heal() { other_.reset(); }
  bool has_two() const { return other_.has_value(); }

  // Former rows take the place of the present ones, which the store tells.
  void put_back() {
    offsets_ms_[main_.server] = draw_offset_ms();
    if (lose_writes()) main_.put_back = ++restores_;
  }

  // All replicas have what there is.
  void confirm() { history_.clear(); }

  void set_clock() { offsets_ms_[main_.server] = draw_offset_ms(); }

  const std::optional<count::Record>& record() const { return main_.record; }
  // The record has the store's incarnation: no process has to jump.
  bool is_settled() const {
    return main_.record && main_.record->incarnation == main_.incarnation && main_.put_back == 0;
  }

 private:
  static constexpr std::size_t kServers = 3;
  static constexpr std::size_t kMostRemembered = 16;
  static constexpr unsigned kRememberPercent = 40;

  struct Reign {
    std::optional<count::Record> record;
    std::string incarnation;
    std::size_t server = 0;
    std::uint64_t put_back = 0;
  };
  struct Past {
    count::Record record;
    std::uint64_t put_back;
    std::int64_t at_ms;
  };

  std::optional<std::int64_t> store_ms(const Reign& reign) const {
    return kind_.has_clock ? std::optional(true_ms_ + offsets_ms_[reign.server]) : std::nullopt;
  }
  std::int64_t draw_offset_ms() {
    if (dice_.percent(30)) return dice_.percent(50) ? tolerance_ms_ : -tolerance_ms_;
    return dice_.between(-tolerance_ms_, tolerance_ms_);
  }

  void begin_reign() { main_.incarnation = std::to_string(main_.server) + ":" + std::to_string(++reigns_); }

  void remember() {
    if (!main_.record) return;
    history_.push_back({*main_.record, main_.put_back, true_ms_});
    if (history_.size() > kMostRemembered) history_.erase(history_.begin());
  }

  // Returns false if no former state is there. It is one that the present one followed: what was
  // lost never comes back.
  bool lose_writes() {
    const auto is_recent = [this](const Past& past) { return past.at_ms >= true_ms_ - kLongestLagMs; };
    const auto first =
        static_cast<std::size_t>(std::find_if(history_.begin(), history_.end(), is_recent) - history_.begin());
    const std::size_t recent = history_.size() - first;
    if (recent == 0 || !kind_.loses_writes) return false;
    const std::size_t lost = dice_.below(dice_.percent(50) ? std::min<std::size_t>(recent, 3) : recent);
    go_back_to(history_.size() - 1 - lost);
    return true;
  }

  void go_back_to(std::size_t past) {
    main_.record = history_[past].record;
    main_.put_back = history_[past].put_back;
    if (!kind_.lost_states_return) history_.resize(past);
  }

  static bool sets_next(const count::WriteHead& request) { return request.sets_next; }
  template <class Request>
  static bool sets_next(const Request&) {
    return false;
  }

  void note(const count::Add& request, const count::Record& record) { ends_[request.echo.low] = record.next; }
  template <class Request>
  void note(const Request&, const count::Record&) {}

  // A store that compares what a return expects as `next`, and no nonce.
  void accept_next_for_nonce(count::Back& request, const Reign& reign) {
    if (keeps(count::Rule::return_compares_nonce) || !reign.record) return;
    if (reign.record->next == ends_[request.nonce.low]) request.nonce = reign.record->nonce;
  }
  template <class Request>
  void accept_next_for_nonce(const Request&, const Reign&) {}

  const CounterKind kind_;
  const std::int64_t tolerance_ms_;
  const std::int64_t& true_ms_;
  Dice& dice_;
  std::optional<lease::NamespaceRecord> space_;
  std::int64_t offsets_ms_[kServers] = {};
  Reign main_;
  std::optional<Reign> other_;
  std::vector<Past> history_;
  std::map<std::uint64_t, std::uint64_t> ends_;  // of ranges, by the nonce of the add
  int reigns_ = 0;
  std::uint64_t restores_ = 0;
};

}  // namespace polyflake::simulation
