#include <polyflake/detail/range.hpp>

#include <algorithm>

namespace polyflake {

void Range::install(std::uint64_t first, std::uint64_t end) {
  // Relaxed: only this caller writes it.
  const bool extends = first == limit_.load(std::memory_order_relaxed);
  // Relaxed: published by the limit. Numbers of the former range that are being checked right now
  // may be refused, and are dropped.
  if (!extends) begin_.store(first, std::memory_order_relaxed);
  // Release: who sees this limit sees the beginning, too.
  limit_.store(end, std::memory_order_release);
  // Raised and never stored: calls may have taken numbers of this range already, and a frozen word
  // stays frozen. Acquire-release: as in take().
  std::uint64_t next = next_.load(std::memory_order_relaxed);
  while (next < first && !next_.compare_exchange_weak(next, first, std::memory_order_acq_rel)) {
  }
  // Relaxed: as in take().
  paused_.store(0, std::memory_order_relaxed);
}

std::uint64_t Range::drop() {
  // Relaxed: only this caller writes it.
  const std::uint64_t limit = limit_.load(std::memory_order_relaxed);
  // Raised, as in install(): what calls have taken is theirs.
  std::uint64_t next = next_.load(std::memory_order_relaxed);
  while (next < limit && !next_.compare_exchange_weak(next, limit, std::memory_order_acq_rel)) {
  }
  return next < limit ? limit - next : 0;
}

std::uint64_t Range::freeze() {
  // Acquire-release: the caller, who gives the rest back, has seen every take; later takes find
  // nothing.
  return std::min(next_.exchange(kFrozen, std::memory_order_acq_rel), kFrozen);
}

std::uint64_t Range::left() const {
  // Relaxed: the answer may be out of date anyway.
  const std::uint64_t limit = limit_.load(std::memory_order_relaxed);
  const std::uint64_t next = std::max(next_.load(std::memory_order_relaxed), begin_.load(std::memory_order_relaxed));
  return next < limit ? limit - next : 0;
}

}  // namespace polyflake
