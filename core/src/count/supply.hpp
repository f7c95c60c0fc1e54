// The numbers that a source holds of its counter: a range that is being handed out, and those that
// follow it.
//
// Requires: one caller at a time, except for calls of word().
#pragma once

#include <polyflake/detail/range.hpp>

#include <cstdint>
#include <deque>
#include <optional>

#include "count/adaptive_step.hpp"
#include "count/machine.hpp"

namespace polyflake::count {

class Supply {
 public:
  Supply(const AdaptiveStep& step, std::int64_t now_ms) : step_(step), fetched_ms_(now_ms) {}

  Range& word() { return word_; }

  // Adds a range that was granted.
  void add(const Numbers& numbers);

  // Hands out the next numbers, if those before are used up. Returns false if none are left; a
  // caller may hold one nevertheless, which it took before.
  bool serve();

  // Drops what is held: no call gets it any more.
  void drop();

  // Returns the step of the fetch that is due, because callers wait for so many numbers or few are
  // left; nothing if none is. A fetch that is under way is due again only for those who wait.
  std::optional<std::uint64_t> due_step(std::uint64_t waiting, std::int64_t now_ms);

  // Returns how many numbers a crash would lose.
  std::uint64_t held() const;
  std::uint64_t used() const { return granted_ - held(); }
  std::uint64_t step() const { return step_.value(); }
  std::uint64_t fetches() const { return fetches_; }

 private:
  struct Piece {
    std::uint64_t first;
    std::uint64_t end;
  };

  AdaptiveStep step_;
  Range word_;
  // A range is handed out in two pieces. The call that begins the second one finds that few numbers
  // are left; no other call looks.
  std::deque<Piece> pieces_;
  std::uint64_t granted_ = 0;
  std::uint64_t fetches_ = 0;
  std::uint64_t used_before_ = 0;  // at the last fetch
  std::int64_t fetched_ms_;        // mono
  bool fetching_ = false;
};

}  // namespace polyflake::count
