// Reservations: what a process holds beside a grant, so that nobody else has the node id meanwhile.
#pragma once

#include <polyflake/detail/grant.hpp>

#include <cstdint>
#include <exception>
#include <string>

namespace polyflake {

// What came of asking for a larger window.
enum class Extension {
  done,     // look again
  too_far,  // the tick is so far ahead of the clock that it may not be reserved yet
  busy,     // another call is at it
  late,     // the window was reserved, and was over before that was done
  unread,   // a cause that may pass keeps the window as it is; failure() says which
  not_yet,  // it grows from elsewhere: Reservation::wait_ns()
  lost,     // it grows no more: nothing beyond it may be stamped
};

// Where the window of a grant comes from, and how it grows. A static node id has none: its window is the whole layout.
class Reservation {
 public:
  virtual ~Reservation() = default;

  // How windows grow. A start that lies no further ahead than a window is waited for.
  virtual Grant::Growth growth() const = 0;

  // Makes the window reach beyond this tick, durably, before the grant says so. One caller at a time. After `lost` it is
  // not asked again. Blocks: I/O.
  virtual Extension extend(Grant& grant, std::uint64_t tick) noexcept = 0;

  // Why it was unread; or why it was lost, for the call that found that out, and null where another call of the generator may
  // find a new node id.
  virtual std::exception_ptr failure() const { return nullptr; }

  // After `not_yet`: for how long to wait before asking again, after waiting for waited_ns already.
  // Errors: store_unavailable, clock_skew: so long that it should be said.
  virtual std::int64_t wait_ns(std::int64_t /*waited_ns*/) const { return -1; }

  // Gives the node id back, usable from the tick after this one. Best effort, never throws.
  virtual void release(std::uint64_t last_tick) noexcept = 0;

  // Whose it is, where a node may go over to another holder within the process.
  virtual const void* holder() const { return nullptr; }

  // Where the mark of the node id is kept, for messages.
  virtual std::string place() const = 0;
  // What an operator does where that mark was written under a clock that was far ahead, for messages.
  virtual std::string way_back() const { return ""; }
};

}  // namespace polyflake
