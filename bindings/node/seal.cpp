// Private ids: seals, and rings of them.
#include "objects.hpp"

namespace polyflake::node {

namespace {

Napi::Uint8Array key_bytes_of(Napi::Value value) {
  if (!value.IsTypedArray() || value.As<Napi::TypedArray>().TypedArrayType() != napi_uint8_array) {
    facade::raise("option_invalid", "expected a Uint8Array");
  }
  return value.As<Napi::Uint8Array>();
}

// The key id as facade::Seal takes it: its presence and its text.
struct KeyId {
  explicit KeyId(Napi::Value value) : given(!value.IsUndefined() && !value.IsNull()) {
    if (given) text = text_of(value, "option_invalid");
  }

  bool given;
  std::string text;
};

// (true for a file, key or path, tweak, bits, key id or null) -> seal
Napi::Value new_seal(Environment& environment, const Napi::CallbackInfo& info) {
  const bool in_file = info[0].ToBoolean();
  const Napi::Uint8Array array = key_bytes_of(info[1]);
  const facade::Bytes key_or_path(array.Data(), array.ByteLength());
  const Napi::Uint8Array tweak_array = key_bytes_of(info[2]);
  const facade::Bytes tweak(tweak_array.Data(), tweak_array.ByteLength());
  const std::int64_t bits = int64_of(info[3], "option_invalid");
  const KeyId key_id(info[4]);
  auto seal = std::make_unique<facade::Seal>(
      in_file ? facade::Seal::from_file(key_or_path, tweak, bits, key_id.given, key_id.text)
              : facade::Seal(key_or_path, tweak, bits, key_id.given, key_id.text));
  return Napi::Number::New(info.Env(), environment.seals.add(std::move(seal)));
}

// (seals) -> ring
Napi::Value new_ring(Environment& environment, const Napi::CallbackInfo& info) {
  if (!info[0].IsArray()) facade::raise("option_invalid", "expected an array of seals");
  const auto array = info[0].As<Napi::Array>();
  facade::Seals seals;
  for (std::uint32_t i = 0; i < array.Length(); ++i) {
    const Napi::HandleScope scope(info.Env());
    seals.add(object_in<&Environment::seals>(environment, array.Get(i)));
  }
  return Napi::Number::New(info.Env(), environment.rings.add(std::make_unique<facade::SealRing>(seals)));
}

// The calls that both have, by their table.
template <auto table>
struct Calls {
  // (sealing, id) -> sealed
  static Napi::Value seal(Environment& environment, const Napi::CallbackInfo& info) {
    return Napi::BigInt::New(info.Env(), object_in<table>(environment, info[0]).seal(id_of(info[1])));
  }

  // (sealing, id, codec) -> text
  static Napi::Value encode(Environment& environment, const Napi::CallbackInfo& info) {
    const std::string codec = text_of(info[2], "option_invalid");
    return Napi::String::New(info.Env(), object_in<table>(environment, info[0]).encode(id_of(info[1]), codec));
  }

  // (sealing, text, codec) -> id
  static Napi::Value decode(Environment& environment, const Napi::CallbackInfo& info) {
    const std::string codec = text_of(info[2], "option_invalid");
    return Napi::BigInt::New(info.Env(),
                             object_in<table>(environment, info[0]).decode(text_of(info[1], "text_invalid"), codec));
  }

  // (sealing, BigUint64Array, codec) -> texts
  static Napi::Value encode_many(Environment& environment, const Napi::CallbackInfo& info) {
    return array_of(
        info.Env(),
        object_in<table>(environment, info[0]).encode_many(ids_of(info[1]), text_of(info[2], "option_invalid")));
  }

  // (sealing, texts, codec) -> BigUint64Array
  static Napi::Value decode_many(Environment& environment, const Napi::CallbackInfo& info) {
    const std::vector<std::string> texts = texts_of(info[1], "text_invalid");
    return array_of(info.Env(),
                    object_in<table>(environment, info[0]).decode_many(texts, text_of(info[2], "option_invalid")));
  }
};

using OfSeal = Calls<&Environment::seals>;
using OfRing = Calls<&Environment::rings>;

// (seal, sealed) -> id
Napi::Value unseal(Environment& environment, const Napi::CallbackInfo& info) {
  return Napi::BigInt::New(info.Env(), object_in<&Environment::seals>(environment, info[0]).unseal(id_of(info[1])));
}

// (ring, sealed, key id or null) -> id
Napi::Value unseal_by(Environment& environment, const Napi::CallbackInfo& info) {
  const KeyId key_id(info[2]);
  return Napi::BigInt::New(
      info.Env(),
      object_in<&Environment::rings>(environment, info[0]).unseal(id_of(info[1]), key_id.given, key_id.text));
}

}  // namespace

void add_seal(Napi::Object exports, Environment& environment) {
  add<new_seal>(exports, "newSeal", environment);
  add<forget<&Environment::seals>>(exports, "forgetSeal", environment);
  add<OfSeal::seal>(exports, "seal", environment);
  add<unseal>(exports, "unseal", environment);
  add<OfSeal::encode>(exports, "encodeSealed", environment);
  add<OfSeal::decode>(exports, "decodeSealed", environment);
  add<OfSeal::encode_many>(exports, "encodeManySealed", environment);
  add<OfSeal::decode_many>(exports, "decodeManySealed", environment);
  add<new_ring>(exports, "newRing", environment);
  add<forget<&Environment::rings>>(exports, "forgetRing", environment);
  add<OfRing::seal>(exports, "sealByRing", environment);
  add<unseal_by>(exports, "unsealByRing", environment);
  add<OfRing::encode>(exports, "encodeByRing", environment);
  add<OfRing::decode>(exports, "decodeByRing", environment);
  add<OfRing::encode_many>(exports, "encodeManyByRing", environment);
  add<OfRing::decode_many>(exports, "decodeManyByRing", environment);
}

}  // namespace polyflake::node
