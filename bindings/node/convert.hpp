// JavaScript values to the facade's plain types and back.
//
// 64-bit integers cross as BigInt only. The package's JavaScript has already checked what a user
// passed, with better words; these checks make sure that nothing else can get in.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <napi.h>

namespace polyflake::node {

// Errors: id_out_of_range unless it is a BigInt of 0 to 2^64 - 1.
std::uint64_t id_of(Napi::Value value);

// Errors: `code` unless it is a BigInt that fits 64 bits, signed.
std::int64_t int64_of(Napi::Value value, const char* code);

// Errors: `code` unless it is a string.
std::string text_of(Napi::Value value, const char* code);

// Number of an object in a table; what is no such number gives one that refers to nothing.
std::uint32_t index_of(Napi::Value value);

// Errors: field_out_of_range unless they are arrays of strings and of BigInts, equally long.
struct NamedValues {
  std::vector<std::string> names;
  std::vector<std::int64_t> values;
};
NamedValues named_values_of(Napi::Value names, Napi::Value values);

Napi::Value array_of(Napi::Env env, const std::vector<std::string>& texts);

}  // namespace polyflake::node
