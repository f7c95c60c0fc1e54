// Values of the whole process that are made at first use and never freed.
#pragma once

#include <atomic>
#include <memory>
#include <utility>

namespace polyflake {

// Returns the value that `kept` points to, and makes it if there is none. Threads that arrive
// together each make one, and one is kept. Not a static of a function: after a fork while another
// thread makes it, the child would wait for ever.
template <typename T, typename Make>
const T& made_once(std::atomic<const T*>& kept, Make make) {
  // Acquire-release, here and below: a thread that sees the pointer sees the finished value.
  if (const T* const there = kept.load(std::memory_order_acquire)) return *there;
  auto made = std::make_unique<const T>(make());
  const T* there = nullptr;
  if (kept.compare_exchange_strong(there, made.get(), std::memory_order_acq_rel)) return *made.release();
  return *there;
}

}  // namespace polyflake
