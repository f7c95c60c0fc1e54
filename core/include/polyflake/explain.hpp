// explain: which system an unknown id may be from.
//
// Every preset reads the id, and those that give a plausible time come first. An id does not say which system made it, and
// systems that differ by their epoch alone cannot be told apart for certain: this is a ranking to look at, not an answer to
// build on. Pure functions; the present is a parameter.
#pragma once

#include <polyflake/layout.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace polyflake {

// Why a preset's reading is not plausible.
enum class Implausible {
  too_wide,    // the id has bits above the layout
  after_now,   // the time is more than a day after the present
  near_epoch,  // the time is less than a day after the layout's epoch: any small number gives one
};
const char* name_of(Implausible reason) noexcept;

struct Explanation {
  std::string preset;
  std::optional<Parts> parts;          // nothing where the id is too wide
  std::optional<Implausible> why_not;  // the first reason that holds; nothing where the time is plausible

  bool plausible() const { return !why_not; }
};

// One explanation for each preset, plausible ones first. Among these, those come first whose sequence and node fields need
// the fewest hexadecimal digits together (their bits in fours, rounded down), since both are counted from 0; then those
// with the later time, since people mostly ask about recent ids. What is left is in the order of presets.
// now_ms: Unix ms. Thread safety: any thread.
std::vector<Explanation> explain(std::uint64_t id, std::int64_t now_ms);

}  // namespace polyflake
