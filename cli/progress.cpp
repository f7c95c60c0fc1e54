#include "progress.hpp"

#include <polyflake/clock.hpp>

#include <string>

#include "system.hpp"
#include "terminal.hpp"

namespace polyflake::cli {

Progress::Progress(const Output& out, Output& err)
    : err_(err),
      shown_(terminal::takes_escapes(err.descriptor()) && !system::is_terminal(out.descriptor())),
      shown_at_ms_(SystemClock::read_ms()) {}

Progress::~Progress() {
  try {
    clear();
  } catch (...) {
    // The terminal is gone, and with it the reader.
  }
}

void Progress::show() {
  constexpr std::int64_t kEveryMs = 100;
  const std::int64_t now_ms = SystemClock::read_ms();
  if (now_ms >= shown_at_ms_ && now_ms - shown_at_ms_ < kEveryMs) return;
  shown_at_ms_ = now_ms;
  on_line_ = true;
  terminal::line_on(err_.descriptor(), true);
  err_.write("\r" + std::to_string(count_) + " ids");
  err_.flush();
}

void Progress::clear() {
  if (!on_line_) return;
  on_line_ = false;
  err_.write("\r\x1b[K");
  err_.flush();
  terminal::line_on(err_.descriptor(), false);
}

}  // namespace polyflake::cli
