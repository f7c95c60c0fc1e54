// Values of the whole process that are made at first use, and never freed.
#pragma once

#include <atomic>
#include <memory>
#include <utility>

namespace polyflake {

// What `place` leads to, made if nothing is there; threads that come together each make one, and one stays. No static of a
// function, since a fork while another thread makes it would leave a child that waits for ever.
template <typename T, typename Make>
const T& made_once(std::atomic<const T*>& place, Make make) {
  // Acquire-release, here and below: the value is seen as it was made.
  if (const T* const there = place.load(std::memory_order_acquire)) return *there;
  auto made = std::make_unique<const T>(make());
  const T* there = nullptr;
  if (place.compare_exchange_strong(there, made.get(), std::memory_order_acq_rel)) return *made.release();
  return *there;
}

}  // namespace polyflake
