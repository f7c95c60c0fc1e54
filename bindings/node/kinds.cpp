// Kinds of ids: their texts, what their ids say, and uuid4, whose ids are bytes at random. Ids of stamped kinds are issued by
// stamped.cpp.
#include <memory>
#include <string>

#include "bytes.hpp"
#include "claim.hpp"
#include "objects.hpp"

namespace polyflake::node {

Bytes bytes_of(Napi::Value value, std::size_t width) {
  const auto array = value.IsTypedArray() ? value.As<Napi::TypedArray>() : Napi::TypedArray();
  if (array.IsEmpty() || array.TypedArrayType() != napi_uint8_array || array.ByteLength() % width != 0) {
    facade::raise("option_invalid", "ids are written to a Uint8Array of " + std::to_string(width) + " bytes an id");
  }
  return {array.As<Napi::Uint8Array>().Data(), width, array.ByteLength() / width};
}

std::size_t write_text(const unsigned char* id, std::size_t width, char* text) {
  if (width == facade::kUuidBytes) {
    facade::write_uuid(id, text);
    return facade::kUuidText;
  }
  facade::write_object_id(id, text);
  return facade::kObjectIdText;
}

namespace {

Napi::Value text_of_bytes(Napi::Env env, const std::string& id) {
  char text[facade::kUuidText];
  const std::size_t length = write_text(reinterpret_cast<const unsigned char*>(id.data()), id.size(), text);
  return Napi::String::New(env, text, length);
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

// (layout's text, text) -> [timeMs, tick, sequence, node, tail]
Napi::Value decode_uuid7(Environment&, const Napi::CallbackInfo& info) {
  const std::string layout = text_of(info[0], "layout_invalid");
  const facade::Uuid7Parts parts = facade::decode_uuid7(layout, facade::parse_uuid(text_of(info[1], "text_invalid")));
  const Napi::Env env = info.Env();
  auto result = Napi::Array::New(env, 5);
  result.Set(0u, number(env, parts.time_ms));
  result.Set(1u, Napi::BigInt::New(env, parts.tick));
  result.Set(2u, number(env, parts.sequence));
  result.Set(3u, Napi::BigInt::New(env, parts.node));
  result.Set(4u, Napi::BigInt::New(env, parts.tail));
  return result;
}

// (text) -> [timeMs, process, counter]
Napi::Value decode_object_id(Environment&, const Napi::CallbackInfo& info) {
  const facade::ObjectIdParts parts =
      facade::decode_object_id(facade::parse_object_id(text_of(info[0], "text_invalid")));
  const Napi::Env env = info.Env();
  auto result = Napi::Array::New(env, 3);
  result.Set(0u, number(env, parts.time_ms));
  result.Set(1u, Napi::BigInt::New(env, parts.process));
  result.Set(2u, number(env, parts.counter));
  return result;
}

using KindBound = std::string (*)(std::int64_t);

// (Unix ms) -> text
template <KindBound bound>
Napi::Value kind_bound(Environment&, const Napi::CallbackInfo& info) {
  return text_of_bytes(info.Env(), bound(int64_of(info[0], "field_out_of_range")));
}

// (layout's text, id) -> text
Napi::Value layout_to_uuid(Environment&, const Napi::CallbackInfo& info) {
  return text_of_bytes(info.Env(), facade::layout_to_uuid(text_of(info[0], "layout_invalid"), id_of(info[1])));
}

// (layout's text, text) -> id
Napi::Value layout_from_uuid(Environment&, const Napi::CallbackInfo& info) {
  const std::string layout = text_of(info[0], "layout_invalid");
  const std::string uuid = facade::parse_uuid(text_of(info[1], "text_invalid"));
  return Napi::BigInt::New(info.Env(), facade::layout_from_uuid(layout, uuid));
}

// (ids in a Uint8Array, bytes of an id) -> their texts, one after the other in a Uint8Array
Napi::Value write_texts(Environment&, const Napi::CallbackInfo& info) {
  const bool is_uuid = number_up_to(info[1], facade::kUuidBytes) == facade::kUuidBytes;
  const Bytes ids = bytes_of(info[0], is_uuid ? facade::kUuidBytes : facade::kObjectIdBytes);
  const std::size_t length = is_uuid ? facade::kUuidText : facade::kObjectIdText;
  auto texts = Napi::Uint8Array::New(info.Env(), ids.count * length);
  auto* const characters = reinterpret_cast<char*>(texts.Data());
  for (std::size_t i = 0; i < ids.count; ++i) write_text(ids.data + i * ids.width, ids.width, characters + i * length);
  return Napi::Value(info.Env(), texts);
}

facade::RandomUuids& random_of(Environment& environment, std::uint32_t index) {
  facade::RandomUuids* const source = environment.random_uuids.find(index);
  if (source == nullptr) facade::raise("generator_closed", "there is no such source");
  return *source;
}

// (clock, entropy) -> source; undefined for what is not given
Napi::Value new_random_uuids(Environment& environment, const Napi::CallbackInfo& info) {
  facade::Options options;
  if (!info[0].IsUndefined()) options.set_clock(object_in<&Environment::clocks>(environment, info[0]));
  if (!info[1].IsUndefined()) options.set_entropy(binary_of(info[1], "option_invalid"));
  return Napi::Number::New(info.Env(), environment.random_uuids.add(std::make_unique<facade::RandomUuids>(options)));
}

// -> the text of an id of the source whose number is in the shared memory
napi_value random_text(napi_env env, napi_callback_info info) noexcept {
  Environment& environment = Environment::of(env, info);
  try {
    unsigned char uuid[facade::kUuidBytes];
    random_of(environment, environment.claimed->generator).fill(uuid, 1);
    char text[facade::kUuidText];
    facade::write_uuid(uuid, text);
    return ascii(env, text, sizeof text);
  } catch (...) {
    throw_failure(env);
    return nullptr;
  }
}

// (source, Uint8Array)
Napi::Value fill_random(Environment& environment, const Napi::CallbackInfo& info) {
  const Bytes uuids = bytes_of(info[1], facade::kUuidBytes);
  random_of(environment, index_of(info[0])).fill(uuids.data, uuids.count);
  return info.Env().Undefined();
}

// (source)
Napi::Value close_random(Environment& environment, const Napi::CallbackInfo& info) {
  random_of(environment, index_of(info[0])).close();
  return info.Env().Undefined();
}

// (source) -> boolean
Napi::Value random_closed(Environment& environment, const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(info.Env(), random_of(environment, index_of(info[0])).closed());
}

// (source) -> object
Napi::Value random_stats(Environment& environment, const Napi::CallbackInfo& info) {
  return object_of(info.Env(), random_of(environment, index_of(info[0])).stats());
}

}  // namespace

void add_kinds(Napi::Object exports, Environment& environment) {
  add<parse_kind>(exports, "parseKind", environment);
  add<check_new_kind>(exports, "checkNewKind", environment);
  add<built_in_kinds>(exports, "builtInKinds", environment);
  add<decode_uuid7>(exports, "decodeUuid7", environment);
  add<decode_object_id>(exports, "decodeObjectId", environment);
  add<kind_bound<&facade::first_uuid7>>(exports, "firstUuid7", environment);
  add<kind_bound<&facade::last_uuid7>>(exports, "lastUuid7", environment);
  add<kind_bound<&facade::first_object_id>>(exports, "firstObjectId", environment);
  add<kind_bound<&facade::last_object_id>>(exports, "lastObjectId", environment);
  add<layout_to_uuid>(exports, "layoutToUuid", environment);
  add<layout_from_uuid>(exports, "layoutFromUuid", environment);
  add<write_texts>(exports, "writeTexts", environment);
  add<new_random_uuids>(exports, "newRandomUuids", environment);
  add<forget<&Environment::random_uuids>>(exports, "forgetRandomUuids", environment);
  add_bare(exports, "randomText", random_text, environment);
  add<fill_random>(exports, "fillRandom", environment);
  add<close_random>(exports, "closeRandom", environment);
  add<random_closed>(exports, "randomClosed", environment);
  add<random_stats>(exports, "randomStats", environment);
}

}  // namespace polyflake::node
