// Reservations: what a process holds beside a grant, so that nobody else has the node id meanwhile.
#pragma once

#include <polyflake/detail/grant.hpp>

#include <cstdint>
#include <string>

namespace polyflake {

// What came of asking for a larger window.
enum class Extension {
  done,     // look again
  too_far,  // the tick is so far ahead of the clock that it may not be reserved yet
  busy,     // another call is at it
  late,     // the window was reserved, and was over before that was done
};

// Where the window of a grant comes from, and how it grows. A static node id has none: its window is the whole layout.
class Reservation {
 public:
  virtual ~Reservation() = default;

  // How far ahead of the clock a window may reach, in ticks. A start that lies no further ahead is waited for.
  virtual std::int64_t window_ticks() const = 0;

  // Makes the window reach beyond this tick, durably, before the grant says so. One caller at a time.
  // Blocks: I/O. Errors: registry_unusable; then the grant is lost for good.
  virtual Extension extend(Grant& grant, std::uint64_t tick) = 0;

  // Gives the node id back, usable from the tick after this one. Best effort, never throws.
  virtual void release(std::uint64_t last_tick) noexcept = 0;

  // Where the mark of the node id is kept, for messages.
  virtual std::string place() const = 0;
};

}  // namespace polyflake
