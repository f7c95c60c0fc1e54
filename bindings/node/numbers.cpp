// Numbers of a counter: taken from those that this process holds. The runner in node/lease.js
// fetches more, so no call here waits.
#include <cstddef>
#include <cstdint>

#include "bytes.hpp"
#include "claim.hpp"
#include "convert.hpp"
#include "facade/counted_source.hpp"

namespace polyflake::node {

namespace {

facade::CountedSource& counted_of(Environment& environment, std::uint32_t index) {
  facade::Source& source = source_of(environment, index);
  if (!source.is_counted()) facade::raise("option_invalid", "ids of this source are no numbers of a counter");
  return static_cast<facade::CountedSource&>(source);
}

// Leaves the next number in the shared memory of claim.cpp; or waits = 1 there, if more than the
// next number of the present range is needed, or none can be given: try_number() says why.
napi_value claim_number(napi_env env, napi_callback_info info) noexcept {
  Environment& environment = Environment::of(env, info);
  Claimed& claimed = *environment.claimed;
  facade::Source* const source = environment.sources.find(claimed.generator);
  const bool is_counted = source != nullptr && source->is_counted();
  const bool claims = is_counted && static_cast<facade::CountedSource*>(source)->claim_held(claimed.id);
  claimed.waits = claims ? 0 : 1;
  return nullptr;
}

// (source) -> the next number, or null if none is held; then more are asked for
Napi::Value try_number(Environment& environment, const Napi::CallbackInfo& info) {
  facade::CountedSource& source = counted_of(environment, index_of(info[0]));
  std::uint64_t number = 0;
  const bool claims = source.claim_id(facade::Claiming::unless_waiting, reinterpret_cast<unsigned char*>(&number)) >= 0;
  return claims ? Napi::Value(Napi::BigInt::New(info.Env(), number)) : info.Env().Null();
}

// (source, BigUint64Array, count of numbers that are there) -> how many follow them now, perhaps 0;
// then as many as are missing are asked for
Napi::Value claim_numbers(Environment& environment, const Napi::CallbackInfo& info) {
  facade::CountedSource& source = counted_of(environment, index_of(info[0]));
  const Bytes ids = bytes_of(info[1], source.id_bytes());
  const std::size_t there = number_up_to(info[2], ids.count);
  const IdRange range = source.claim_ids(ids.data + there * ids.width, ids.count - there);
  return number(info.Env(), static_cast<std::int64_t>(range.count));
}

// (source) -> whether the runner must step now, if it sleeps; once after a call that asked for more
Napi::Value take_wake(Environment& environment, const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(info.Env(), source_of(environment, index_of(info[0])).take_wake());
}

}  // namespace

void add_numbers(Napi::Object exports, Environment& environment) {
  add_bare(exports, "claimNumber", claim_number, environment);
  add<try_number>(exports, "tryNumber", environment);
  add<claim_numbers>(exports, "claimNumbers", environment);
  add<take_wake>(exports, "takeWake", environment);
}

}  // namespace polyflake::node
