// Which systems an id may be from: inspect --guess.
#pragma once

#include <cstdint>
#include <string>

#include "style.hpp"

namespace polyflake::cli {

// A line of JSON: every preset, the likeliest first. See explain.hpp.
void append_guesses_json(std::string& text, std::uint64_t id, std::int64_t now_ms);

// Lines for people.
void append_guesses_text(std::string& text, std::uint64_t id, std::int64_t now_ms, const Style& style);

}  // namespace polyflake::cli
