// The option --after of commands that make and set counters, and how they print a counter.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "json.hpp"
#include "numbers.hpp"
#include "program.hpp"

namespace polyflake::cli {

constexpr std::uint64_t kGreatestNumber = (std::uint64_t{1} << 63) - 2;  // of any counter

inline void add_after(CLI::App& command, std::optional<std::uint64_t>& after) {
  add_number(
      command, "--after", 0, kGreatestNumber, [&after](std::uint64_t number) { after = number; },
      "The last number that is taken, as by the table that the counter feeds; it gives the next one");
}

// Returns the number. Errors: UsageError if none was given.
inline std::uint64_t checked_after(const std::optional<std::uint64_t>& after) {
  if (after) return *after;
  throw UsageError("--after is missing, and has no default: give the last number that is taken, 0 if there is none");
}

inline void append_counter(JsonObject& json, const std::string& name, const std::string& after) {
  json.said("counter", name);
  json.text("after", after);
}

}  // namespace polyflake::cli
