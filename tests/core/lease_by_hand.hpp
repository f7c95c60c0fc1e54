// A store in memory with a clock of its own, and a holder whose machine tests drive by hand.
#pragma once

#include <polyflake/store.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lease/held_node_id.hpp"
#include "lease/machine.hpp"
#include "lease/namespace_rules.hpp"

namespace polyflake::lease::by_hand {

inline constexpr std::int64_t kWindowMs = 10'000;
inline constexpr std::int64_t kToleranceMs = 500;
inline constexpr std::int64_t kQuarantineMs = kWindowMs + 2 * kToleranceMs;
inline constexpr std::int64_t kBeginMs = 1'700'000'000'000;
inline constexpr std::uint64_t kLayout = 77;

class Dice final : public Random {
 public:
  std::uint64_t bits() override { return state_ = state_ * 6364136223846793005 + 1442695040888963407; }

 private:
  std::uint64_t state_ = 1;
};
inline Dice g_dice;

// fresh: the namespace was made by an operator who vouched for its name.
struct With : Settings {
  bool fresh = true;
};

inline With settings() {
  With settings;
  settings.layout = kLayout;
  settings.capacity = 1024;
  settings.makes_namespace = true;
  return settings;
}

// Returns the settings of a holder that does not vouch that the namespace is new.
inline With unvouched() {
  With with = settings();
  with.fresh = false;
  return with;
}

// A store with a clock of its own, and what was asked of it.
struct ProcessHooks {
  Tables tables;
  std::string incarnation = "first";
  std::int64_t now_ms = kBeginMs;
  bool has_clock = true;
  std::vector<Cas> written;
  std::optional<std::int64_t> revision;  // set by tests alone

  std::optional<std::int64_t> store_ms() const { return has_clock ? std::optional(now_ms) : std::nullopt; }
};

// A holder on a host whose clock is off by offset_ms.
struct Holder {
  explicit Holder(ProcessHooks& of, const With& with = settings()) : hooks(of), machine(with, g_dice) {
    if (!with.fresh || !with.makes_namespace || of.tables.space) return;
    of.tables.space = new_namespace(with, g_dice);
    of.tables.space->settled = true;
    of.tables.space->incarnation = of.incarnation;
  }

  ProcessHooks& hooks;
  Machine machine;
  std::int64_t offset_ms = 0;
  std::vector<Window> granted;
  int raised = 0, lost = 0, frozen = 0, trips = 0;
  bool deaf = false;  // its requests arrive, and no answer does

  Time time() const { return {hooks.now_ms + offset_ms, hooks.now_ms}; }

  // Does one thing. Returns false if it would sleep, or is at an end.
  bool step() {
    const Action action = machine.poll(time());
    switch (action.kind) {
      case Action::Kind::read: {
        ++trips;
        if (deaf) {
          machine.deliver_nothing(action.number, "no answer", time());
        } else {
          Contents contents = hooks.tables.read(action.read, hooks.incarnation, hooks.store_ms());
          contents.revision = hooks.revision;
          machine.deliver(action.number, contents, time());
        }
        return true;
      }
      case Action::Kind::cas: {
        ++trips;
        const Outcome outcome = hooks.tables.step(action.cas, hooks.incarnation, hooks.store_ms());
        if (outcome == Outcome::ok) hooks.written.push_back(action.cas);
        machine.deliver(action.number,
                        deaf ? Answer{} : Answer{outcome, action.cas.echo, hooks.store_ms(), hooks.revision}, time());
        return true;
      }
      case Action::Kind::granted: granted.push_back(action.window); return true;
      case Action::Kind::raised:
        granted.back() = action.window;
        ++raised;
        return true;
      case Action::Kind::lost: ++lost; return true;
      case Action::Kind::frozen: ++frozen; return true;
      case Action::Kind::sleep: wake_ms = action.mono_ms; return false;
      default: ended = action.kind; return false;
    }
  }

  // Lets so many ms pass, in which it does what is due and sleeps when it says so.
  void run(std::int64_t ms = 0) {
    const std::int64_t end_ms = hooks.now_ms + ms;
    for (;;) {
      while (step()) {
      }
      if (ended || wake_ms > end_ms) break;
      hooks.now_ms = wake_ms;
    }
    hooks.now_ms = end_ms;
  }

  std::int64_t wake_ms = 0;
  std::optional<Action::Kind> ended;
};

}  // namespace polyflake::lease::by_hand
