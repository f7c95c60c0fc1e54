// Ids of all kinds: arrays of them, and single ids of the kinds that are text. The number of the
// source, and a position to wait for, are in the shared memory of claim.cpp.
#include <cstddef>
#include <cstdint>

#include "bytes.hpp"
#include "claim.hpp"
#include "convert.hpp"

namespace polyflake::node {

namespace {

facade::Source& spelled_of(Environment& environment, std::uint32_t index) {
  facade::Source& source = source_of(environment, index);
  if (source.text_length() == 0)
    facade::raise("option_invalid", "ids of this source are numbers, which nothing spells");
  return source;
}

// Returns the text of an id.
napi_value text_of_id(napi_env env, const facade::Source& source, const unsigned char* id) noexcept {
  char text[facade::kMostIdText];
  source.write_text(id, text);
  return ascii(env, text, source.text_length());
}

// -> the text of the next id, or undefined if nothing can be claimed yet. The shared memory has its
// position, and whether the caller must wait for that.
napi_value claim_spelled(napi_env env, napi_callback_info info) noexcept {
  Environment& environment = Environment::of(env, info);
  Claimed& claimed = *environment.claimed;
  try {
    facade::Source& source = spelled_of(environment, claimed.generator);
    unsigned char id[facade::kMostIdBytes];
    std::int64_t word = source.claim_id(facade::Claiming::now, id);
    if (word < 0) word = source.claim_id(facade::Claiming::slowly, id);
    claimed.waits = word < 0 ? 1 : 0;
    claimed.id = static_cast<std::uint64_t>(word < 0 ? ~word : word);
    if (word != -1) return text_of_id(env, source, id);
  } catch (...) {
    throw_failure(env);
  }
  return nullptr;
}

// (source) -> the text of the next id, or null if it would have to wait
Napi::Value try_spelled(Environment& environment, const Napi::CallbackInfo& info) {
  facade::Source& source = spelled_of(environment, index_of(info[0]));
  unsigned char id[facade::kMostIdBytes];
  if (source.claim_id(facade::Claiming::unless_waiting, id) < 0) return info.Env().Null();
  return {info.Env(), text_of_id(info.Env(), source, id)};
}

// (source, BigUint64Array or Uint8Array, due) -> nothing. The shared memory has the position for
// which the caller must wait, and whether it must; then it calls again, and `due` tells whether the
// wait ended well. The first call for an array is without `due`; calls for two arrays do not mix.
Napi::Value fill(Environment& environment, const Napi::CallbackInfo& info) {
  facade::Source& source = source_of(environment, index_of(info[0]));
  const Bytes ids = bytes_of(info[1], source.id_bytes());
  facade::Filling& filling = environment.filling;
  if (info[2].IsBoolean()) {
    filling.waited(info[2].As<Napi::Boolean>());
  } else {
    filling = {};
  }
  source.fill(filling, ids.data, ids.count);
  environment.claimed->id = filling.position;
  environment.claimed->waits = filling.waits ? 1 : 0;
  return info.Env().Undefined();
}

// (source) -> the bytes of an id
Napi::Value id_bytes(Environment& environment, const Napi::CallbackInfo& info) {
  return number(info.Env(), static_cast<std::int64_t>(source_of(environment, index_of(info[0])).id_bytes()));
}

// (source, ids in a Uint8Array) -> their texts, one after the other in a Uint8Array
Napi::Value write_texts(Environment& environment, const Napi::CallbackInfo& info) {
  const facade::Source& source = spelled_of(environment, index_of(info[0]));
  const Bytes ids = bytes_of(info[1], source.id_bytes());
  const std::size_t length = source.text_length();
  auto texts = Napi::Uint8Array::New(info.Env(), ids.count * length);
  auto* const characters = reinterpret_cast<char*>(texts.Data());
  for (std::size_t i = 0; i < ids.count; ++i) source.write_text(ids.data + i * ids.width, characters + i * length);
  return Napi::Value(info.Env(), texts);
}

}  // namespace

void add_sources(Napi::Object exports, Environment& environment) {
  add_bare(exports, "claimSpelled", claim_spelled, environment);
  add<try_spelled>(exports, "trySpelled", environment);
  add<fill>(exports, "fill", environment);
  add<id_bytes>(exports, "idBytes", environment);
  add<write_texts>(exports, "writeTexts", environment);
}

}  // namespace polyflake::node
