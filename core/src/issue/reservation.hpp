// Reservations: what a process holds beside a grant, so that no other process has the node id.
#pragma once

#include <polyflake/detail/grant.hpp>

#include <cstdint>
#include <exception>
#include <string>

namespace polyflake {

// The result of asking for a larger window.
enum class Extension {
  done,     // look again
  too_far,  // the tick is so far ahead of the clock that it may not be reserved yet
  busy,     // another call is extending it
  late,     // the window was reserved, but was over before that was done
  unread,   // failure() tells a passing cause; the window is as before
  not_yet,  // it is extended elsewhere: Reservation::wait_ns()
  lost,     // it grows no more: nothing beyond it may be stamped
};

// The time that a caller which cannot wait says it has waited: such a call ends at once, with the
// reason.
inline constexpr std::int64_t kCannotWaitNs = INT64_MAX;

// The origin of a grant's window, and its growth. A static node id has none: its window is the
// whole layout.
class Reservation {
 public:
  virtual ~Reservation() = default;

  // Returns how windows grow, and how far ahead a start may be for calls to wait for it.
  virtual Grant::Growth growth() const = 0;

  // Extends the window beyond this tick, durably, before the grant says so. Not called again after
  // `lost`. Thread safety: one caller at a time. Blocks: I/O.
  virtual Extension extend(Grant& grant, std::uint64_t tick) noexcept = 0;

  // Returns why it was unread or lost. Null after a loss if another call of the generator may find
  // a new node id; only the call that found out gets the reason.
  virtual std::exception_ptr failure() const { return nullptr; }

  // Returns how long to wait before asking again, after `not_yet` and waited_ns of waiting.
  // Errors: store_unavailable, clock_skew: after a wait long enough to report.
  virtual std::int64_t wait_ns(std::int64_t /*waited_ns*/) const { return -1; }

  // Gives the node id back, usable from the tick after this one. Best effort, never throws.
  virtual void release(std::uint64_t last_tick) noexcept = 0;

  // Returns the owner, if a node may pass to another holder within the process; else null.
  virtual const void* holder() const { return nullptr; }

  // Returns the keeper of the node id's mark, a file or a store, for messages.
  virtual std::string keeper() const = 0;
  // Returns advice for an operator if that mark was written under a clock far ahead, for messages.
  virtual std::string way_back() const { return ""; }
};

}  // namespace polyflake
