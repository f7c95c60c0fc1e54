// Codecs.
#include "objects.hpp"

namespace polyflake::node {

namespace {

// (name, width as a BigInt or undefined, check) -> codec
Napi::Value new_codec(Environment& environment, const Napi::CallbackInfo& info) {
  const std::string name = text_of(info[0], "option_invalid");
  const bool check = info[2].ToBoolean();
  auto codec = info[1].IsUndefined()
                   ? std::make_unique<facade::Codec>(name, check)
                   : std::make_unique<facade::Codec>(name, int64_of(info[1], "option_invalid"), check);
  return Napi::Number::New(info.Env(), environment.codecs.add(std::move(codec)));
}

// (codec) -> { name, digits, width, check }
Napi::Value describe_codec(Environment& environment, const Napi::CallbackInfo& info) {
  const facade::Codec& codec = object_in<&Environment::codecs>(environment, info[0]);
  auto result = Napi::Object::New(info.Env());
  result.Set("name", codec.name());
  result.Set("digits", codec.digits());
  result.Set("width", codec.width());
  result.Set("check", codec.check());
  return result;
}

// (codec, id) -> text
Napi::Value encode(Environment& environment, const Napi::CallbackInfo& info) {
  char text[polyflake::Codec::kLongest];
  const std::size_t length = object_in<&Environment::codecs>(environment, info[0]).core().encode(id_of(info[1]), text);
  napi_value ascii = nullptr;
  if (napi_create_string_latin1(info.Env(), text, length, &ascii) != napi_ok) throw Napi::Error::New(info.Env());
  return Napi::String(info.Env(), ascii);
}

// (codec, text) -> id
Napi::Value decode_text(Environment& environment, const Napi::CallbackInfo& info) {
  const facade::Codec& codec = object_in<&Environment::codecs>(environment, info[0]);
  return Napi::BigInt::New(info.Env(), codec.core().decode(ShortText(info[1], "text_invalid").view()));
}

// (codec, BigUint64Array) -> texts
Napi::Value encode_many(Environment& environment, const Napi::CallbackInfo& info) {
  const facade::Codec& codec = object_in<&Environment::codecs>(environment, info[0]);
  return array_of(info.Env(), codec.encode_many(ids_of(info[1])));
}

// (codec, texts) -> BigUint64Array
Napi::Value decode_many(Environment& environment, const Napi::CallbackInfo& info) {
  const facade::Codec& codec = object_in<&Environment::codecs>(environment, info[0]);
  return array_of(info.Env(), codec.decode_many(texts_of(info[1], "text_invalid")));
}

}  // namespace

void add_codec(Napi::Object exports, Environment& environment) {
  add<new_codec>(exports, "newCodec", environment);
  add<forget<&Environment::codecs>>(exports, "forgetCodec", environment);
  add<describe_codec>(exports, "describeCodec", environment);
  add<encode>(exports, "encodeText", environment);
  add<decode_text>(exports, "decodeText", environment);
  add<encode_many>(exports, "encodeTexts", environment);
  add<decode_many>(exports, "decodeTexts", environment);
}

}  // namespace polyflake::node
