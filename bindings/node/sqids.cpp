// Sqids and Hashids: lists of ids as texts.
#include "objects.hpp"

namespace polyflake::node {

namespace {

constexpr const char* kOption = "option_invalid";

// (alphabet, min_length, words or undefined) -> sqids
Napi::Value new_sqids(Environment& environment, const Napi::CallbackInfo& info) {
  const bool own = !info[2].IsUndefined();
  const std::vector<std::string> words = own ? texts_of(info[2], kOption) : std::vector<std::string>();
  auto sqids = std::make_unique<facade::Sqids>(text_of(info[0], kOption), int64_of(info[1], kOption), own, words);
  return Napi::Number::New(info.Env(), environment.sqids.add(std::move(sqids)));
}

// (salt, min_length, alphabet) -> hashids
Napi::Value new_hashids(Environment& environment, const Napi::CallbackInfo& info) {
  auto hashids = std::make_unique<facade::Hashids>(text_of(info[0], kOption), int64_of(info[1], kOption),
                                                   text_of(info[2], kOption));
  return Napi::Number::New(info.Env(), environment.hashids.add(std::move(hashids)));
}

// (object) -> { alphabet, minLength }
template <auto table>
Napi::Value describe(Environment& environment, const Napi::CallbackInfo& info) {
  const auto& texts = object_in<table>(environment, info[0]);
  auto result = Napi::Object::New(info.Env());
  result.Set("alphabet", texts.alphabet());
  result.Set("minLength", texts.min_length());
  return result;
}

// (object, BigUint64Array or id) -> text
template <auto table>
Napi::Value encode(Environment& environment, const Napi::CallbackInfo& info) {
  const auto& texts = object_in<table>(environment, info[0]);
  return Napi::String::New(
      info.Env(), texts.encode(info[1].IsBigInt() ? std::vector<std::uint64_t>{id_of(info[1])} : ids_of(info[1])));
}

// (object, text) -> array of BigInts
template <auto table>
Napi::Value decode_ids(Environment& environment, const Napi::CallbackInfo& info) {
  const auto& texts = object_in<table>(environment, info[0]);
  const std::vector<std::uint64_t> ids = texts.decode(text_of(info[1], "text_invalid"));
  auto result = Napi::Array::New(info.Env(), ids.size());
  for (std::uint32_t i = 0; i < ids.size(); ++i) {
    const Napi::HandleScope scope(info.Env());
    result.Set(i, Napi::BigInt::New(info.Env(), ids[i]));
  }
  return result;
}

// () -> words
Napi::Value default_blocklist(Environment& /*environment*/, const Napi::CallbackInfo& info) {
  return array_of(info.Env(), facade::default_blocklist());
}

}  // namespace

void add_sqids(Napi::Object exports, Environment& environment) {
  exports.Set("sqidsAlphabet", facade::sqids_alphabet());
  exports.Set("hashidsAlphabet", facade::hashids_alphabet());
  add<default_blocklist>(exports, "defaultBlocklist", environment);
  add<new_sqids>(exports, "newSqids", environment);
  add<forget<&Environment::sqids>>(exports, "forgetSqids", environment);
  add<describe<&Environment::sqids>>(exports, "describeSqids", environment);
  add<encode<&Environment::sqids>>(exports, "encodeSqids", environment);
  add<decode_ids<&Environment::sqids>>(exports, "decodeSqids", environment);
  add<new_hashids>(exports, "newHashids", environment);
  add<forget<&Environment::hashids>>(exports, "forgetHashids", environment);
  add<describe<&Environment::hashids>>(exports, "describeHashids", environment);
  add<encode<&Environment::hashids>>(exports, "encodeHashids", environment);
  add<decode_ids<&Environment::hashids>>(exports, "decodeHashids", environment);
}

}  // namespace polyflake::node
