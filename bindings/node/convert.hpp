// JavaScript values to the facade's plain types and back.
//
// 64-bit integers cross as BigInt only. The package's JavaScript has already checked a user's
// values, with better messages; these checks make sure that no other value gets in.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <napi.h>

#include "facade/generator.hpp"
#include "facade/layout.hpp"

namespace polyflake::node {

// Errors: id_out_of_range unless it is a BigInt of 0 to 2^64 - 1.
std::uint64_t id_of(Napi::Value value);

// Errors: `code` unless it is a BigInt that fits 64 bits, signed.
std::int64_t int64_of(Napi::Value value, const char* code);

// Errors: `code` unless it is a string.
std::string text_of(Napi::Value value, const char* code);

// The same for a text that is an option.
inline std::string option_text(Napi::Value value) { return text_of(value, "option_invalid"); }

// The same for short texts, read by one call into its own memory.
class ShortText {
 public:
  ShortText(Napi::Value value, const char* code);
  ShortText(const ShortText&) = delete;
  ShortText& operator=(const ShortText&) = delete;
  std::string_view view() const { return view_; }

 private:
  char short_[64];
  std::string long_;
  std::string_view view_;
};

// Returns the bytes of a Uint8Array. Errors: `code` unless it is one.
std::string binary_of(Napi::Value value, const char* code);

// Returns the number of an object in a table. Any other value gives a number that refers to no
// object.
std::uint32_t index_of(Napi::Value value);

// Errors: option_invalid unless it is a number from 0 to `most`.
std::size_t number_up_to(Napi::Value value, std::size_t most);

// Errors: field_out_of_range unless they are arrays of strings and of BigInts, equally long.
struct NamedValues {
  std::vector<std::string> names;
  std::vector<std::int64_t> values;
};
NamedValues named_values_of(Napi::Value names, Napi::Value values);

// Milliseconds and other numbers below 2^53.
inline Napi::Value number(Napi::Env env, std::int64_t value) {
  return Napi::Number::New(env, static_cast<double>(value));
}

// Errors: `code` unless it is an array of BigInts that fit 64 bits, signed.
std::vector<std::int64_t> int64s_of(Napi::Value values, const char* code);

// Returns [timeMs, tick, sequence, node, value of each node field...].
Napi::Value array_of(Napi::Env env, const Parts& parts);

Napi::Value array_of(Napi::Env env, const std::vector<std::string>& texts);

// Returns them by their names in camelCase.
Napi::Value object_of(Napi::Env env, const polyflake::Stats& stats);

// Errors: id_out_of_range unless it is a BigUint64Array.
std::vector<std::uint64_t> ids_of(Napi::Value value);
Napi::Value array_of(Napi::Env env, const std::vector<std::uint64_t>& ids);  // a BigUint64Array

// Errors: `code` unless it is an array of strings.
std::vector<std::string> texts_of(Napi::Value value, const char* code);

}  // namespace polyflake::node
