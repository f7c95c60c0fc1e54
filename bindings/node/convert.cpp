#include "convert.hpp"

#include <algorithm>
#include <limits>

#include "facade/facade.hpp"

namespace polyflake::node {

namespace {

std::string camel(const std::string& snake) {
  std::string name;
  for (const char c : snake) {
    const bool begins_word = !name.empty() && name.back() == '_';
    if (begins_word) name.pop_back();
    name += begins_word && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  return name;
}

}  // namespace

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

ShortText::ShortText(Napi::Value value, const char* code) {
  // At least that much is read if a character did not fit.
  constexpr std::size_t kWhole = sizeof short_ - 4;
  std::size_t length = 0;
  if (napi_get_value_string_utf8(value.Env(), value, short_, sizeof short_, &length) == napi_ok && length < kWhole) {
    view_ = {short_, length};
  } else {
    view_ = long_ = text_of(value, code);
  }
}

std::string binary_of(Napi::Value value, const char* code) {
  if (!value.IsTypedArray() || value.As<Napi::TypedArray>().TypedArrayType() != napi_uint8_array) {
    facade::raise(code, "expected a Uint8Array");
  }
  const auto array = value.As<Napi::Uint8Array>();
  return {reinterpret_cast<const char*>(array.Data()), array.ByteLength()};
}

std::uint32_t index_of(Napi::Value value) {
  return value.IsNumber() ? value.As<Napi::Number>().Uint32Value() : std::numeric_limits<std::uint32_t>::max();
}

std::size_t number_up_to(Napi::Value value, std::size_t most) {
  const double number = value.IsNumber() ? value.As<Napi::Number>().DoubleValue() : -1;
  if (!(number >= 0 && number <= static_cast<double>(most))) {
    facade::raise("option_invalid", "a number from 0 to " + std::to_string(most) + " is due");
  }
  return static_cast<std::size_t>(number);
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

std::vector<std::int64_t> int64s_of(Napi::Value values, const char* code) {
  if (!values.IsArray()) facade::raise(code, "expected an array");
  const auto array = values.As<Napi::Array>();
  std::vector<std::int64_t> result;
  for (std::uint32_t i = 0; i < array.Length(); ++i) {
    const Napi::HandleScope scope(values.Env());
    result.push_back(int64_of(array.Get(i), code));
  }
  return result;
}

Napi::Value array_of(Napi::Env env, const Parts& parts) {
  auto result = Napi::Array::New(env, 4 + parts.fields.size());
  std::uint32_t at = 0;
  result.Set(at++, Napi::Number::New(env, static_cast<double>(parts.time_ms)));
  result.Set(at++, Napi::BigInt::New(env, parts.tick));
  result.Set(at++, Napi::Number::New(env, parts.sequence));
  result.Set(at++, Napi::BigInt::New(env, parts.node));
  for (const std::uint32_t value : parts.fields) result.Set(at++, Napi::Number::New(env, value));
  return result;
}

Napi::Value array_of(Napi::Env env, const std::vector<std::string>& texts) {
  auto array = Napi::Array::New(env, texts.size());
  for (std::uint32_t i = 0; i < texts.size(); ++i) array.Set(i, texts[i]);
  return array;
}

Napi::Value object_of(Napi::Env env, const polyflake::Stats& stats) {
  auto result = Napi::Object::New(env);
  stats.each([&](const char* name, auto value) { result.Set(camel(name), static_cast<double>(value)); });
  return result;
}

std::vector<std::uint64_t> ids_of(Napi::Value value) {
  if (!value.IsTypedArray() || value.As<Napi::TypedArray>().TypedArrayType() != napi_biguint64_array) {
    facade::raise("id_out_of_range", "expected a BigUint64Array");
  }
  const auto ids = value.As<Napi::BigUint64Array>();
  return {ids.Data(), ids.Data() + ids.ElementLength()};
}

Napi::Value array_of(Napi::Env env, const std::vector<std::uint64_t>& ids) {
  auto array = Napi::BigUint64Array::New(env, ids.size());
  std::copy(ids.begin(), ids.end(), array.Data());
  return Napi::Value(env, array);
}

std::vector<std::string> texts_of(Napi::Value value, const char* code) {
  if (!value.IsArray()) facade::raise(code, "expected an array of strings");
  const auto array = value.As<Napi::Array>();
  std::vector<std::string> texts;
  for (std::uint32_t i = 0; i < array.Length(); ++i) {
    const Napi::HandleScope scope(value.Env());
    texts.push_back(text_of(array.Get(i), code));
  }
  return texts;
}

}  // namespace polyflake::node
