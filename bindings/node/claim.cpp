// Claiming ids: the only calls whose cost matters.
//
// claim() is a bare Node-API function that takes and returns nothing. Which generator is meant, and the id, are in memory
// that JavaScript reaches through typed arrays (node/claim.js): the JIT compiles that, while a BigInt made by Node-API costs
// more than the claim itself.
#include "claim.hpp"
#include "convert.hpp"

namespace polyflake::node {

// NOLINTNEXTLINE(bugprone-exception-escape): ThrowAsJavaScriptException() swallows what cannot be thrown, as we build it.
void throw_failure(napi_env env) noexcept {
  try {
    failure(env).ThrowAsJavaScriptException();
  } catch (const Napi::Error& error) {
    error.ThrowAsJavaScriptException();
  } catch (...) {
    napi_throw_error(env, nullptr, "polyflake: out of memory");
  }
}

namespace {

// False where there is more to it than taking the next position.
bool claim_at_once(Environment& environment) {
  Claimed& claimed = *environment.claimed;
  facade::Generator* const generator = environment.generators.find(claimed.generator);
  const std::int64_t id = generator == nullptr ? -1 : generator->claim_now();
  if (id < 0) return false;
  claimed.id = static_cast<std::uint64_t>(id);
  claimed.waits = 0;
  return true;
}

// Out of line, so that the fast path saves no registers for it.
[[gnu::cold]] [[gnu::noinline]] void claim_slowly(Environment& environment) {
  Claimed& claimed = *environment.claimed;
  const std::int64_t word = generator_of(environment, claimed.generator).claim_slowly();
  const bool ready = word >= 0;
  claimed.id = static_cast<std::uint64_t>(ready ? word : ~word);
  claimed.waits = ready ? 0 : 1;
}

// False, with a JavaScript exception, where that failed.
bool claim_shared(napi_env env, Environment& environment) noexcept {
  try {
    if (!claim_at_once(environment)) claim_slowly(environment);
    return true;
  } catch (...) {
    throw_failure(env);
    return false;
  }
}

// The id, and whether it must be waited for, are in the shared memory afterwards.
napi_value claim(napi_env env, napi_callback_info info) noexcept {
  claim_shared(env, Environment::of(env, info));
  return nullptr;
}

// -> the id as decimal text, or undefined where it must be waited for; in the shared memory as above
napi_value claim_text(napi_env env, napi_callback_info info) noexcept {
  Environment& environment = Environment::of(env, info);
  const Claimed& claimed = *environment.claimed;
  if (!claim_shared(env, environment) || claimed.waits != 0) return nullptr;
  char text[facade::kLongestDecimal];
  return ascii(env, text, facade::write_decimal(claimed.id, text));
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
  const std::size_t begin = number_up_to(info[2], length);
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

// (generator) -> nanoseconds until anything can be claimed, 0: now. Raises why nothing can be where that is not known.
Napi::Value claimable_in_ns(Environment& environment, const Napi::CallbackInfo& info) {
  facade::Generator& generator = generator_of(environment, index_of(info[0]));
  return Napi::Number::New(info.Env(), static_cast<double>(generator.claimable_in_ns()));
}

}  // namespace

void add_claim(Napi::Object exports, Environment& environment) {
  add_bare(exports, "claim", claim, environment);
  add_bare(exports, "claimText", claim_text, environment);
  exports.Set("claimed", environment.claimed_memory.Value());
  add<try_claim>(exports, "tryClaim", environment);
  add<claim_range>(exports, "claimRange", environment);
  add<wait_ns>(exports, "waitNs", environment);
  add<claimable_in_ns>(exports, "claimableInNs", environment);
}

}  // namespace polyflake::node
