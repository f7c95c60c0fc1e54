// What the targets share: properties that end the run when they do not hold, and refusals that are as documented.
#pragma once

#include <polyflake/error.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <string_view>

namespace polyflake::fuzz {

inline void hold(bool fact, const char* words) {
  if (fact) return;
  std::fprintf(stderr, "does not hold: %s\n", words);
  std::abort();  // libFuzzer keeps the input
}

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// Messages end up in logs: printable, and not longer than the longest layout text and a few sentences.
inline void hold_for_message(std::string_view message) {
  hold(std::all_of(message.begin(), message.end(), [](char c) { return c >= ' ' && c <= '~'; }),
       "a message is printable ASCII");
  hold(!message.empty() && message.size() <= 1600, "a message says something, and does not repeat its input");
}

// True when `work` returned; false when it refused, with one of the codes that its contract names.
template <class Work>
bool accepts(Work work, std::initializer_list<ErrorCode> codes) {
  try {
    work();
    return true;
  } catch (const Error& error) {
    hold(std::find(codes.begin(), codes.end(), error.code()) != codes.end(), "a refusal has a code of the contract");
    hold_for_message(error.what());
    return false;
  }
}

// The same for work that reads a text: a refusal says where.
template <class Work>
bool reads(std::string_view text, Work work, std::initializer_list<ErrorCode> codes) {
  const auto placed = [&] {
    try {
      work();
    } catch (const Error& error) {
      hold(error.position() && *error.position() <= text.size(), "a position inside the text, or at its end");
      throw;
    }
  };
  return accepts(placed, codes);
}

// The same for texts of ids.
template <class Work>
bool reads(std::string_view text, Work work) {
  return reads(text, work, {ErrorCode::text_invalid, ErrorCode::id_out_of_range});
}

}  // namespace polyflake::fuzz
