#include "terminal.hpp"

#include <atomic>
#include <cstdlib>
#include <string_view>

#include "system.hpp"

namespace polyflake::cli::terminal {
namespace {

constexpr int kNone = -1;
// Relaxed: a handler runs in the thread that it interrupts, and only one thread writes.
std::atomic<int> g_colored{kNone};
std::atomic<int> g_line{kNone};

void end_with(std::string_view text, const std::atomic<int>& at) noexcept {
  const int descriptor = at.load(std::memory_order_relaxed);
  if (descriptor != kNone) system::write(descriptor, text.data(), text.size());
}

}  // namespace

bool takes_escapes(int descriptor) {
  const char* const kind = std::getenv("TERM");
  return (kind == nullptr || std::string_view(kind) != "dumb") && system::is_terminal(descriptor);
}

void colors_on(int descriptor) { g_colored.store(descriptor, std::memory_order_relaxed); }

void line_on(int descriptor, bool shown) { g_line.store(shown ? descriptor : kNone, std::memory_order_relaxed); }

void tidy() noexcept {
  end_with("\x1b[0m", g_colored);
  end_with("\r\x1b[K", g_line);
}

}  // namespace polyflake::cli::terminal
