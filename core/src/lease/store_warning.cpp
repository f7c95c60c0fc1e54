#include "lease/store_warning.hpp"

#include <atomic>
#include <memory>

namespace polyflake::lease {
namespace {

std::atomic<bool> g_warned{false};
std::atomic<const std::string*> g_text{nullptr};

}  // namespace

void warn_of_store(const std::string& text) {
  // Relaxed: the winner decides nothing else.
  if (text.empty() || g_warned.exchange(true, std::memory_order_relaxed)) return;
  // Release: a thread that takes the text sees all of it.
  g_text.store(new std::string(text), std::memory_order_release);
}

std::string take_store_warning() {
  const std::unique_ptr<const std::string> text(g_text.exchange(nullptr, std::memory_order_acquire));
  return text ? *text : std::string();
}

}  // namespace polyflake::lease
