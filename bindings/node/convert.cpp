#include "convert.hpp"

#include <limits>

#include "facade/facade.hpp"

namespace polyflake::node {

std::uint64_t id_of(Napi::Value value) {
  if (value.IsBigInt()) {
    bool exact = false;
    const std::uint64_t id = value.As<Napi::BigInt>().Uint64Value(&exact);
    if (exact) return id;
  }
  facade::raise("id_out_of_range", "an id is a BigInt from 0n to 18446744073709551615n");
}

std::int64_t int64_of(Napi::Value value, const char* code) {
  if (value.IsBigInt()) {
    bool exact = false;
    const std::int64_t number = value.As<Napi::BigInt>().Int64Value(&exact);
    if (exact) return number;
  }
  facade::raise(code, "expected a BigInt that fits 64 bits, signed");
}

std::string text_of(Napi::Value value, const char* code) {
  if (!value.IsString()) facade::raise(code, "expected a string");
  return value.As<Napi::String>().Utf8Value();
}

std::uint32_t index_of(Napi::Value value) {
  return value.IsNumber() ? value.As<Napi::Number>().Uint32Value() : std::numeric_limits<std::uint32_t>::max();
}

NamedValues named_values_of(Napi::Value names, Napi::Value values) {
  const char* const code = "field_out_of_range";
  if (!names.IsArray() || !values.IsArray()) facade::raise(code, "expected names and values of fields");
  const auto name_array = names.As<Napi::Array>();
  const auto value_array = values.As<Napi::Array>();
  if (name_array.Length() != value_array.Length()) facade::raise(code, "expected as many names as values");
  NamedValues result;
  for (std::uint32_t i = 0; i < name_array.Length(); ++i) {
    const Napi::HandleScope scope(names.Env());
    result.names.push_back(text_of(name_array.Get(i), code));
    result.values.push_back(int64_of(value_array.Get(i), code));
  }
  return result;
}

Napi::Value array_of(Napi::Env env, const std::vector<std::string>& texts) {
  auto array = Napi::Array::New(env, texts.size());
  for (std::uint32_t i = 0; i < texts.size(); ++i) array.Set(i, texts[i]);
  return array;
}

}  // namespace polyflake::node
