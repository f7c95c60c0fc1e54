#include "count/supply.hpp"

#include <algorithm>

namespace polyflake::count {

void Supply::add(const Numbers& numbers) {
  fetching_ = false;
  ++fetches_;
  granted_ += numbers.end - numbers.first;
  const std::uint64_t rest = std::min(step_.value() / 2, numbers.end - numbers.first);
  const std::uint64_t mark = numbers.end - rest;
  if (mark > numbers.first) pieces_.push_back({numbers.first, mark});
  if (rest > 0) pieces_.push_back({mark, numbers.end});
}

bool Supply::serve() {
  // Callers that found nothing may have taken all numbers of a piece before it is installed.
  while (word_.left() == 0) {
    if (pieces_.empty()) {
      word_.pause();
      return false;
    }
    const Piece piece = pieces_.front();
    pieces_.pop_front();
    word_.install(piece.first, piece.end);
  }
  return true;
}

void Supply::drop() {
  granted_ -= word_.drop();
  for (const Piece& piece : pieces_) granted_ -= piece.end - piece.first;
  pieces_.clear();
}

std::optional<std::uint64_t> Supply::due_step(std::uint64_t waiting, std::int64_t now_ms) {
  const bool is_ahead = granted_ > 0 && !fetching_ && step_.is_low(held());
  if (waiting == 0 && !is_ahead) return std::nullopt;
  if (fetching_) return step_.value();
  fetching_ = true;
  const std::uint64_t used = this->used();
  if (fetches_ > 0) step_.adapt(used - used_before_, now_ms - fetched_ms_);
  used_before_ = used;
  fetched_ms_ = now_ms;
  return step_.value();
}

std::uint64_t Supply::held() const {
  std::uint64_t held = word_.left();
  for (const Piece& piece : pieces_) held += piece.end - piece.first;
  return held;
}

}  // namespace polyflake::count
