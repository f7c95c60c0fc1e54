// A warning to the application, given once per process: the first text counts.
#pragma once

#include <atomic>
#include <memory>
#include <string>

namespace polyflake {

// Thread safety: any thread; without a lock, so a fork in between does no harm.
class OnceWarning {
 public:
  void give(const std::string& text) {
    // Relaxed: the winner decides nothing else.
    if (text.empty() || given_.exchange(true, std::memory_order_relaxed)) return;
    // Release: a thread that takes the text sees all of it.
    text_.store(new std::string(text), std::memory_order_release);
  }

  // Returns the text; "" if there is none or it was taken before.
  std::string take() {
    const std::unique_ptr<const std::string> text(text_.exchange(nullptr, std::memory_order_acquire));
    return text ? *text : std::string();
  }

 private:
  std::atomic<bool> given_{false};
  std::atomic<const std::string*> text_{nullptr};
};

}  // namespace polyflake
