// A counter in a store with a clock of its own, which may lose writes, and processes whose machines tests
// drive by hand.
#pragma once

#include <polyflake/counter_store.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "count/heads.hpp"
#include "count/machine.hpp"
#include "lease_by_hand.hpp"

namespace polyflake::count::by_hand {

using lease::by_hand::g_dice;
using lease::by_hand::kBeginMs;
using lease::by_hand::kToleranceMs;

inline CounterOptions segment(std::uint64_t rate = 1'000'000, std::uint64_t burst = 10'000'000) {
  CounterOptions options;
  options.rate = rate;
  options.burst = burst;
  return options;
}

inline CounterOptions date() {
  CounterOptions options;
  options.kind = "date";
  return options;
}

struct FakeStore {
  explicit FakeStore(const CounterOptions& options = segment(), std::uint64_t after = 0) {
    space.emplace();
    space->uuid = {7, 7};
    space->tolerance_ms = kToleranceMs;
    set(head_of(options, after), after);
  }

  void set(const Head& head, std::uint64_t after) {
    Record made;
    made.head = head;
    made.head.nonce = g_dice.word();
    made.nonce = g_dice.word();
    made.term = g_dice.word();
    const auto period = head.kind == "date" ? periods_of(shape_of(head))(now_ms) : std::nullopt;
    record = set_by_operator(made, after, period, now_ms, has_ceiling(head, contents()), incarnation);
  }

  std::optional<std::int64_t> store_ms() const { return has_clock ? std::optional(now_ms) : std::nullopt; }
  Contents contents() const { return {space, record, incarnation, store_ms(), may_fail_over, put_back, revision, ""}; }
  Present present() const { return {space, incarnation, store_ms()}; }

  // Another server goes on, with the record as it was then.
  void fail_over(const Record& as_it_was) {
    record = as_it_was;
    incarnation += "'";
  }

  std::optional<lease::NamespaceRecord> space;
  std::optional<Record> record;
  std::string incarnation = "first";
  std::int64_t now_ms = kBeginMs;
  bool has_clock = true;
  bool may_fail_over = true;
  bool put_back = false;
  std::optional<std::int64_t> revision;
  std::vector<WriteHead> heads;  // that were written
  std::vector<Back> backs;       // that were asked for
};

inline Settings settings(const FakeStore& store) {
  Settings settings;
  settings.counter = "orders";
  settings.shape = shape_of(store.record->head);
  if (settings.shape.kind == "date") settings.period_of = periods_of(settings.shape);
  return settings;
}

struct Process {
  explicit Process(FakeStore& of) : Process(of, settings(of)) {}
  Process(FakeStore& of, const Settings& with) : store(of), machine(with, g_dice) {}

  FakeStore& store;
  Machine machine;
  std::int64_t offset_ms = 0;  // of its clock
  std::vector<Numbers> granted, jumped;
  bool deaf = false;     // its requests arrive, and no answer does
  bool cut_off = false;  // not even its requests arrive
  int trips = 0, adds = 0;
  bool done = false;
  std::int64_t wake_ms = 0;
  std::function<void()> before_write = [] {};  // what others do between a read and a write

  Time time() const { return {store.now_ms + offset_ms, store.now_ms}; }

  template <class Request>
  void carry_out(std::uint64_t number, const Request& request) {
    ++trips;
    before_write();
    if (cut_off) return machine.deliver_nothing(number, "no way", time());
    Answer answer = count::step(store.record, request, store.present());
    answer.revision = store.revision;
    if (deaf) return machine.deliver_nothing(number, "no answer", time());
    machine.deliver(number, answer, time());
  }

  // Does one thing. Returns false if it would sleep, or is done.
  bool step() {
    const Action action = machine.poll(time());
    switch (action.kind) {
      case Action::Kind::read:
        ++trips;
        if (deaf || cut_off) machine.deliver_nothing(action.number, "no answer", time());
        else machine.deliver(action.number, store.contents(), time());
        return true;
      case Action::Kind::add:
        ++adds;
        carry_out(action.number, action.add);
        return true;
      case Action::Kind::head: {
        const auto before = store.record;
        carry_out(action.number, action.head);
        if (store.record->head.nonce != before->head.nonce) {
          store.heads.push_back(action.head);
          store.put_back = store.put_back && !action.head.sets_next;  // mended by that
        }
        return true;
      }
      case Action::Kind::back:
        store.backs.push_back(action.back);
        carry_out(action.number, action.back);
        return true;
      case Action::Kind::granted: granted.push_back(action.numbers); return true;
      case Action::Kind::jumped: jumped.push_back(action.numbers); return true;
      case Action::Kind::sleep: wake_ms = action.mono_ms; return false;
      default: done = true; return false;
    }
  }

  // Lets so many ms pass, in which it does what is due and sleeps when it says so.
  void run(std::int64_t ms = 0) {
    const std::int64_t end_ms = store.now_ms + ms;
    for (;;) {
      while (step()) {
      }
      if (done || wake_ms > end_ms) break;
      store.now_ms = wake_ms;
    }
    store.now_ms = end_ms;
  }

  // Asks for a range, and returns it once it is granted, at most ms later; an empty one if it is not.
  Numbers take(std::uint64_t step, std::uint64_t waiting = 1, std::int64_t ms = 0) {
    const std::size_t before = granted.size();
    machine.take(step, waiting);
    run(ms);
    return granted.size() > before ? granted.back() : Numbers{};
  }

  std::optional<ErrorCode> code() const {
    return machine.failure() ? std::optional(machine.failure()->code) : std::nullopt;
  }
};

// An add of another process.
inline Add other_add(const FakeStore& store, std::uint64_t n) {
  Add add;
  add.echo = g_dice.word();
  add.uuid = store.space->uuid;
  add.term = store.record->term;
  add.incarnation = store.incarnation;
  add.until_ms = store.record->until_ms;
  add.n = n;
  return add;
}

}  // namespace polyflake::count::by_hand
