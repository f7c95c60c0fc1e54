// explain: ranks the systems that an unknown id may be from.
//
// Every preset reads the id; those that give a plausible time come first. An id does not name the
// system that made it, and systems that differ only in their epoch cannot be told apart for
// certain. The result is a ranking for people, not an answer to build on. Pure functions; the
// present is a parameter.
#pragma once

#include <polyflake/layout.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace polyflake {

// The reason why a preset's reading is not plausible.
enum class Implausible {
  too_wide,    // the id has bits above the layout
  after_now,   // the time is more than a day after the present
  near_epoch,  // the time is less than a day after the layout's epoch: any small number gives one
};
const char* name_of(Implausible reason) noexcept;

struct Explanation {
  std::string preset;
  std::optional<Parts> parts;  // nothing if the id is too wide
  // The first reason that holds; nothing if the time is plausible.
  std::optional<Implausible> why_not;

  bool plausible() const { return !why_not; }
};

// Returns one explanation for each preset, plausible ones first. Among these, those whose sequence
// and node fields need fewer bits (divided by 4, rounded down) come first, since both count up from
// 0. Then the later time comes first, since people mostly ask about recent ids. The rest keep the
// order of presets. now_ms: Unix ms. Thread safety: any thread.
std::vector<Explanation> explain(std::uint64_t id, std::int64_t now_ms);

}  // namespace polyflake
