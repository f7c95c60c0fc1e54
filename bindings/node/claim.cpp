// Claiming ids: the only calls whose cost matters.
//
// claim() is a bare Node-API function that returns nothing. The id goes into memory that
// JavaScript reads through a typed array (node/claim.js): the JIT compiles that read, while a BigInt made
// by Node-API costs more than the claim itself.
#include "convert.hpp"
#include "environment.hpp"

namespace polyflake::node {

namespace {

[[noreturn]] void refuse_unknown() { facade::raise("generator_closed", "there is no such generator"); }

facade::Generator& generator_of(const Environment& environment, std::uint32_t index) {
  facade::Generator* const generator = environment.generators.find(index);
  if (generator == nullptr) refuse_unknown();
  return *generator;
}

// Claims an id into the shared memory; false, with a JavaScript exception, where that failed.
// NOLINTNEXTLINE(bugprone-exception-escape): ThrowAsJavaScriptException() swallows what cannot be thrown, as we build it.
bool claim_shared(napi_env env, napi_callback_info info, Environment*& environment) noexcept {
  napi_value argument = nullptr;
  std::size_t count = 1;
  void* data = nullptr;
  std::uint32_t index = 0;
  napi_get_cb_info(env, info, &count, &argument, nullptr, &data);
  environment = static_cast<Environment*>(data);
  try {
    if (napi_get_value_uint32(env, argument, &index) != napi_ok) refuse_unknown();
    const std::int64_t word = generator_of(*environment, index).claim();
    const bool ready = word >= 0;
    environment->claimed->id = static_cast<std::uint64_t>(ready ? word : ~word);
    environment->claimed->waits = ready ? 0 : 1;
    return true;
  } catch (...) {
    try {
      failure(env).ThrowAsJavaScriptException();
    } catch (const Napi::Error& error) {
      error.ThrowAsJavaScriptException();
    } catch (...) {
      napi_throw_error(env, nullptr, "polyflake: out of memory");
    }
    return false;
  }
}

// (generator); the id and whether it must be waited for are in the shared memory afterwards.
napi_value claim(napi_env env, napi_callback_info info) noexcept {
  Environment* environment = nullptr;
  claim_shared(env, info, environment);
  return nullptr;
}

// (generator) -> the id as decimal text, or undefined where it must be waited for; in the shared memory as above
napi_value claim_text(napi_env env, napi_callback_info info) noexcept {
  Environment* environment = nullptr;
  if (!claim_shared(env, info, environment) || environment->claimed->waits != 0) return nullptr;
  char text[facade::kLongestDecimal];
  const std::size_t length = facade::write_decimal(environment->claimed->id, text);
  napi_value result = nullptr;
  if (napi_create_string_latin1(env, text, length, &result) != napi_ok) {
    napi_throw_error(env, nullptr, "polyflake: out of memory");
  }
  return result;
}

// (generator) -> id, or null where it would have to wait
Napi::Value try_claim(Environment& environment, const Napi::CallbackInfo& info) {
  const std::int64_t word = generator_of(environment, index_of(info[0])).try_claim();
  if (word < 0) return info.Env().Null();
  return Napi::BigInt::New(info.Env(), word);
}

// (generator, BigUint64Array, offset) -> how many ids of one range were written; its last one, and whether it must be waited
// for, are in the shared memory, since the array may be one that other threads write to.
Napi::Value claim_range(Environment& environment, const Napi::CallbackInfo& info) {
  facade::Generator& generator = generator_of(environment, index_of(info[0]));
  auto array = info[1].IsTypedArray() ? info[1].As<Napi::TypedArray>() : Napi::TypedArray();
  if (array.IsEmpty() || array.TypedArrayType() != napi_biguint64_array) {
    facade::raise("option_invalid", "ids are written to a BigUint64Array");
  }
  auto ids = array.As<Napi::BigUint64Array>();
  const std::size_t length = ids.ElementLength();
  const double offset = info[2].IsNumber() ? info[2].As<Napi::Number>().DoubleValue() : -1;
  if (!(offset >= 0 && offset <= static_cast<double>(length))) {
    facade::raise("option_invalid", "the offset is outside the array");
  }
  const auto begin = static_cast<std::size_t>(offset);
  const IdRange range = generator.claim_range(length - begin);
  range.write(ids.Data() + begin);
  environment.claimed->id = range.last();
  environment.claimed->waits = range.ready ? 0 : 1;
  return Napi::Number::New(info.Env(), static_cast<double>(range.count));
}

std::int64_t waited_ns(const Napi::Value& value) {
  return value.IsNumber() ? value.As<Napi::Number>().Int64Value() : 0;
}

// (generator, id, nanoseconds waited for it) -> nanoseconds to wait; 0: its tick has come; negative: claim again
Napi::Value wait_ns(Environment& environment, const Napi::CallbackInfo& info) {
  facade::Generator& generator = generator_of(environment, index_of(info[0]));
  return Napi::Number::New(info.Env(), static_cast<double>(generator.wait_ns(id_of(info[1]), waited_ns(info[2]))));
}

}  // namespace

void add_claim(Napi::Object exports, Environment& environment) {
  const Napi::Env env = exports.Env();
  const auto add_bare = [&](const char* name, napi_callback callback) {
    napi_value function = nullptr;
    NAPI_THROW_IF_FAILED_VOID(env,
                              napi_create_function(env, name, NAPI_AUTO_LENGTH, callback, &environment, &function));
    exports.Set(name, function);
  };
  add_bare("claim", claim);
  add_bare("claimText", claim_text);
  exports.Set("claimed", environment.claimed_memory.Value());
  add<try_claim>(exports, "tryClaim", environment);
  add<claim_range>(exports, "claimRange", environment);
  add<wait_ns>(exports, "waitNs", environment);
}

}  // namespace polyflake::node
