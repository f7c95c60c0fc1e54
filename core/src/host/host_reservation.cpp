#include "host/host_reservation.hpp"

#include <polyflake/error.hpp>

#include <algorithm>
#include <chrono>
#include <utility>

#include "issue/current_tick.hpp"

namespace polyflake {
namespace {

std::int64_t ceil_div(std::int64_t value, std::int64_t by) { return value / by + (value % by == 0 ? 0 : 1); }

}  // namespace

HostReservation::HostReservation(std::uint64_t id, Guard guard, const Layout& layout, std::int64_t from_ms,
                                 std::int64_t now_ms, NodeFile::Durable first)
    : id_(id), guard_(std::move(guard)), layout_(layout) {
  const std::uint64_t now_tick = current_tick(layout, now_ms);
  if (from_ms <= now_ms) {
    start_tick_ = now_tick;
    reserve(now_tick + window_ticks(layout), first);
  } else {
    // The window stays empty until its start has come. Then the file is checked again and the mark
    // moved on.
    start_tick_ = static_cast<std::uint64_t>(ceil_div(from_ms - layout.epoch_ms(), layout.tick_ms()));
    reserve(start_tick_, first);
  }
  // Proves that the locked file is in the folder that was judged: no link was switched in between.
  if (guard_.folder->links_changed_since(guard_.seen)) refuse_moved();
}

void HostReservation::reserve(std::uint64_t until_tick, NodeFile::Durable durable) {
  const std::uint64_t reserved = std::min(until_tick, layout_.end_tick());
  guard_.file->write(layout_.time_of(reserved), 0, durable);
  until_tick_ = reserved;
}

Extension HostReservation::extend(Grant& grant, std::uint64_t tick) noexcept {
  try {
    return reserve_beyond(grant, tick);
  } catch (const Unread&) {
    failure_ = std::current_exception();
    return Extension::unread;
  } catch (...) {
    failure_ = std::current_exception();  // the file's content is unknown now
    return Extension::lost;
  }
}

Extension HostReservation::reserve_beyond(Grant& grant, std::uint64_t tick) {
  // Read the clock first, then check that folder and file still exist: a process that removes them
  // after that check starts a window after a later reading.
  const auto began = std::chrono::steady_clock::now();
  const std::uint64_t now_tick = current_tick(layout_, guard_.folder->now_ms());
  const std::uint64_t until_tick = std::min(now_tick + window_ticks(layout_), layout_.end_tick());
  if (tick >= until_tick) return Extension::too_far;
  if (until_tick <= until_tick_) return Extension::done;  // it begins later, or the clock went back
  if (guard_.folder->moved_since(guard_.seen)) refuse_moved();
  reserve(until_tick);
  // Release: the mark is durable before any thread sees the window.
  grant.until.store(until_tick_, std::memory_order_release);
  const bool over = guard_.folder->now_ms() >= layout_.time_of(until_tick_);
  // By a monotonic clock: a window that ended because the clock was set ahead is simply extended
  // again.
  const auto window = std::chrono::milliseconds(window_ms(layout_));
  return over && std::chrono::steady_clock::now() - began >= window ? Extension::late : Extension::done;
}

void HostReservation::refuse_moved() const {
  throw Error(ErrorCode::registry_unusable,
              "the registry folder of '" + keeper() +
                  "' was moved or changed while this process used it; the next call takes "
                  "a node id anew");
}

void HostReservation::release(std::uint64_t last_tick) noexcept {
  try {
    // Not flushed: if this write is lost, the higher mark before it remains.
    guard_.file->write(layout_.time_of(last_tick + 1), 0, NodeFile::Durable::no);
  } catch (...) {
    // The mark stays unchanged, and the next holder waits for it.
  }
}

std::string HostReservation::way_back() const {
  return ". If that was written while the clock was ahead, set the clock right, stop all processes that use this registry "
         "folder, and remove the folder";
}

}  // namespace polyflake
