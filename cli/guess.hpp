// The systems an id may be from: inspect --guess.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <polyflake/explain.hpp>
#include <polyflake/layout.hpp>

#include "style.hpp"

namespace polyflake::cli {

// Returns why the time that the layout gives this id is not plausible, and the likeliest preset, if
// any has a plausible one; nothing if the time is plausible. parts: of the id.
struct Doubt {
  std::string reason;  // "it is of 2031-02-25T..., in 4 years 95 days"
  std::optional<Explanation> likely;
};
std::optional<Doubt> doubt_of(const Layout& layout, std::uint64_t id, const Parts& parts, std::int64_t now_ms);

// Returns "twitter: 2022-03-20T13:33:37.914Z, 4 years 247 days ago; datacenter 11, worker 18,
// sequence 5".
std::string named_reading(const Explanation& one, std::int64_t now_ms);

// Appends a line of JSON: every preset, the likeliest first. See explain.hpp.
void append_guesses_json(std::string& text, std::uint64_t id, std::int64_t now_ms);

// Appends lines for people.
void append_guesses_text(std::string& text, std::uint64_t id, std::int64_t now_ms, const Style& style);

}  // namespace polyflake::cli
