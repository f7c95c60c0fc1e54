// Claiming ids: the only calls whose cost matters.
//
// claim() is a bare Node-API function that takes and returns nothing. The number of the generator
// and the id are in memory that JavaScript reaches through typed arrays (node/claim.js): the JIT
// compiles that access, while a BigInt made by Node-API costs more than the claim itself.
#include "claim.hpp"
#include "convert.hpp"

namespace polyflake::node {

// In this build ThrowAsJavaScriptException() swallows exceptions that it cannot throw.
// NOLINTNEXTLINE(bugprone-exception-escape)
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

// Returns false if the claim needs more than the next position.
bool claim_at_once(Environment& environment) {
  Claimed& claimed = *environment.claimed;
  facade::Source* const source = environment.sources.find(claimed.generator);
  if (source == nullptr || !source->has_positions()) return false;
  const std::int64_t id = static_cast<facade::Generator*>(source)->claim_now();
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

// Returns false, with a JavaScript exception, on failure.
bool claim_shared(napi_env env, Environment& environment) noexcept {
  try {
    if (!claim_at_once(environment)) claim_slowly(environment);
    return true;
  } catch (...) {
    throw_failure(env);
    return false;
  }
}

// Leaves the id, and whether the caller must wait for it, in the shared memory.
napi_value claim(napi_env env, napi_callback_info info) noexcept {
  claim_shared(env, Environment::of(env, info));
  return nullptr;
}

// -> the id as decimal text, or undefined if the caller must wait for it; both also in the shared
// memory
napi_value claim_text(napi_env env, napi_callback_info info) noexcept {
  Environment& environment = Environment::of(env, info);
  const Claimed& claimed = *environment.claimed;
  if (!claim_shared(env, environment) || claimed.waits != 0) return nullptr;
  char text[facade::kLongestDecimal];
  return ascii(env, text, facade::write_decimal(claimed.id, text));
}

// (generator) -> id, or null if it would have to wait
Napi::Value try_claim(Environment& environment, const Napi::CallbackInfo& info) {
  const std::int64_t word = generator_of(environment, index_of(info[0])).try_claim();
  if (word < 0) return info.Env().Null();
  return Napi::BigInt::New(info.Env(), word);
}

std::int64_t waited_ns(const Napi::Value& value) {
  return value.IsNumber() ? value.As<Napi::Number>().Int64Value() : 0;
}

// (generator, id, nanoseconds waited for it) -> nanoseconds to wait; 0: its tick has come;
// negative: claim again
Napi::Value wait_ns(Environment& environment, const Napi::CallbackInfo& info) {
  facade::Source& source = source_of(environment, index_of(info[0]));
  return Napi::Number::New(info.Env(), static_cast<double>(source.wait_ns(id_of(info[1]), waited_ns(info[2]))));
}

// (generator) -> nanoseconds until anything can be claimed, 0: now. If that is unknown, raises the
// reason.
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
  add<wait_ns>(exports, "waitNs", environment);
  add<claimable_in_ns>(exports, "claimableInNs", environment);
}

}  // namespace polyflake::node
