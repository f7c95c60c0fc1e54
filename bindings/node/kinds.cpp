// Kinds of ids: their texts, and the parts of their ids.
#include <memory>
#include <string>

#include "bytes.hpp"
#include "claim.hpp"
#include "objects.hpp"

namespace polyflake::node {

Bytes bytes_of(Napi::Value value, std::size_t width) {
  const auto array = value.IsTypedArray() ? value.As<Napi::TypedArray>() : Napi::TypedArray();
  if (width == sizeof(std::uint64_t)) {
    if (array.IsEmpty() || array.TypedArrayType() != napi_biguint64_array) {
      facade::raise("option_invalid", "ids are written to a BigUint64Array");
    }
    return {reinterpret_cast<unsigned char*>(array.As<Napi::BigUint64Array>().Data()), width, array.ElementLength()};
  }
  if (array.IsEmpty() || array.TypedArrayType() != napi_uint8_array || array.ByteLength() % width != 0) {
    facade::raise("option_invalid", "ids are written to a Uint8Array of " + std::to_string(width) + " bytes an id");
  }
  return {array.As<Napi::Uint8Array>().Data(), width, array.ByteLength() / width};
}

namespace {

Napi::Value text_of_id(Napi::Env env, const std::string& kind, const std::string& id) {
  return Napi::String::New(env, facade::id_text(kind, id));
}

// (text, names of own kinds) -> { name, store }
Napi::Value parse_kind(Environment&, const Napi::CallbackInfo& info) {
  const facade::KindText kind =
      facade::parse_kind(text_of(info[0], "text_invalid"), texts_of(info[1], "option_invalid"));
  auto result = Napi::Object::New(info.Env());
  result.Set("name", kind.name);
  result.Set("store", kind.has_store ? Napi::String::New(info.Env(), kind.store) : info.Env().Undefined());
  return result;
}

// (name, names of own kinds)
Napi::Value check_new_kind(Environment&, const Napi::CallbackInfo& info) {
  facade::check_new_kind(text_of(info[0], "text_invalid"), texts_of(info[1], "option_invalid"));
  return info.Env().Undefined();
}

Napi::Value built_in_kinds(Environment&, const Napi::CallbackInfo& info) {
  return array_of(info.Env(), facade::built_in_kinds());
}

// (kind, layout's text, text) -> [timeMs, another part, ...], all BigInt
Napi::Value decode_id_of(Environment&, const Napi::CallbackInfo& info) {
  const std::string kind = text_of(info[0], "option_invalid"), layout = text_of(info[1], "layout_invalid");
  const facade::IdParts parts =
      facade::decode_id(kind, layout, facade::parse_id(kind, text_of(info[2], "text_invalid")));
  const Napi::Env env = info.Env();
  auto result = Napi::Array::New(env, 1 + parts.values.size());
  std::uint32_t at = 0;
  result.Set(at++, Napi::BigInt::New(env, parts.time_ms));
  for (const std::uint64_t value : parts.values) result.Set(at++, Napi::BigInt::New(env, value));
  return result;
}

using IdBound = std::string (*)(const std::string&, std::int64_t);

// (kind, Unix ms) -> text
template <IdBound bound>
Napi::Value id_bound(Environment&, const Napi::CallbackInfo& info) {
  const std::string kind = text_of(info[0], "option_invalid");
  return text_of_id(info.Env(), kind, bound(kind, int64_of(info[1], "field_out_of_range")));
}

// (layout's text, id) -> text
Napi::Value layout_to_uuid(Environment&, const Napi::CallbackInfo& info) {
  return text_of_id(info.Env(), "uuid7", facade::layout_to_uuid(text_of(info[0], "layout_invalid"), id_of(info[1])));
}

// (layout's text, text) -> id
Napi::Value layout_from_uuid(Environment&, const Napi::CallbackInfo& info) {
  const std::string layout = text_of(info[0], "layout_invalid");
  const std::string uuid = facade::parse_uuid(text_of(info[1], "text_invalid"));
  return Napi::BigInt::New(info.Env(), facade::layout_from_uuid(layout, uuid));
}

}  // namespace

void add_kinds(Napi::Object exports, Environment& environment) {
  add<parse_kind>(exports, "parseKind", environment);
  add<check_new_kind>(exports, "checkNewKind", environment);
  add<built_in_kinds>(exports, "builtInKinds", environment);
  add<decode_id_of>(exports, "decodeIdOf", environment);
  add<id_bound<&facade::first_id>>(exports, "firstIdOf", environment);
  add<id_bound<&facade::last_id>>(exports, "lastIdOf", environment);
  add<layout_to_uuid>(exports, "layoutToUuid", environment);
  add<layout_from_uuid>(exports, "layoutFromUuid", environment);
}

}  // namespace polyflake::node
