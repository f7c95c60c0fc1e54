// A node id held by this process through the host registry.
#pragma once

#include <polyflake/layout.hpp>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>

#include "host/folder_mark.hpp"
#include "host/node_file.hpp"
#include "issue/reservation.hpp"

namespace polyflake {

// Its first window is reserved durably. No window ever reaches further beyond the clock than its
// own length, so a process that finds a removed or copied registry is safe after waiting that long.
class HostReservation final : public Reservation {
 public:
  // The guard of the node id: its locked file, and the folder as it was before it was last judged.
  struct Guard {
    std::unique_ptr<NodeFile> file;
    std::shared_ptr<const FolderMark> folder;
    FolderMark::State seen;
  };

  // The window begins at from_ms, or at once if that has passed by now_ms, which was read before
  // the folder was judged. first: `yes` makes the window durable here; `no` leaves that to
  // make_durable(), which must precede the first id.
  // Blocks: I/O. Errors: registry_unusable, clock_before_epoch.
  HostReservation(std::uint64_t id, Guard guard, const Layout& layout, std::int64_t from_ms, std::int64_t now_ms,
                  NodeFile::Durable first = NodeFile::Durable::yes);
  // Blocks: I/O. Errors: registry_unusable.
  void make_durable() { guard_.file->flush(); }

  // Returns how far ahead of the clock a mark is reserved: about 2 s, and at least two ticks.
  static std::uint64_t window_ticks(const Layout& layout) {
    constexpr std::int64_t kWindowMs = 2000;
    const std::int64_t ticks = (kWindowMs + layout.tick_ms() - 1) / layout.tick_ms();
    return static_cast<std::uint64_t>(ticks < 2 ? 2 : ticks);
  }
  static std::int64_t window_ms(const Layout& layout) {
    return static_cast<std::int64_t>(window_ticks(layout)) * layout.tick_ms();
  }

  std::uint64_t id() const { return id_; }
  std::uint64_t start_tick() const { return start_tick_; }
  std::uint64_t until_tick() const { return until_tick_; }

  // A window grows a little before its end, so that other threads need not wait for the flush. It
  // begins at most a quarantine ahead, plus the lag of file times, which may reach into one more
  // tick, or is 2 s.
  Grant::Growth growth() const override {
    const auto window = static_cast<std::int64_t>(window_ticks(layout_));
    const std::int64_t lag = guard_.seen.times.in_whole_seconds() ? window : 0;
    return {window, window / 4, window + lag + std::max<std::int64_t>(window / 8, 1), false};
  }
  Extension extend(Grant& grant, std::uint64_t tick) noexcept override;
  std::exception_ptr failure() const override { return failure_; }
  void release(std::uint64_t last_tick) noexcept override;
  std::string keeper() const override { return guard_.file->path(); }
  std::string way_back() const override;

 private:
  Extension reserve_beyond(Grant& grant, std::uint64_t tick);
  [[noreturn]] void refuse_moved() const;
  void reserve(std::uint64_t until_tick, NodeFile::Durable durable = NodeFile::Durable::yes);

  const std::uint64_t id_;
  Guard guard_;
  const Layout layout_;
  std::uint64_t start_tick_;
  std::uint64_t until_tick_ = 0;
  std::exception_ptr failure_;
};

}  // namespace polyflake
