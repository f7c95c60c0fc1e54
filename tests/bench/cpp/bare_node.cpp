// The bare work as an empty native call of Node, made like our claim (bindings/node/claim.cpp): the number is left in
// memory that JavaScript reads through a typed array, the cheapest way to a BigInt.
#define NAPI_VERSION 8
#include <node_api.h>

#include "bare.hpp"

namespace {

using namespace polyflake::bench;

std::uint64_t* memory;  // of the one environment that loads this

template <class Time>
napi_value work(napi_env, napi_callback_info) {
  *memory = bare_work<Time>(shared_word);
  return nullptr;
}

// The floor of a counter's number: one atomic add, without the time.
napi_value count(napi_env, napi_callback_info) {
  static std::atomic<std::uint64_t> next{std::uint64_t{1} << 60};
  *memory = next.fetch_add(1, std::memory_order_relaxed);
  return nullptr;
}

// fill(BigUint64Array): claims once, and counts up in all of it.
template <class Time>
napi_value fill(napi_env env, napi_callback_info info) {
  std::size_t count = 1, length = 0;
  napi_value array = nullptr;
  void* data = nullptr;
  napi_get_cb_info(env, info, &count, &array, nullptr, nullptr);
  napi_get_typedarray_info(env, array, nullptr, &length, &data, nullptr, nullptr);
  count_up(static_cast<std::uint64_t*>(data), length, bare_work<Time>(shared_word));
  return nullptr;
}

void set(napi_env env, napi_value exports, const char* name, napi_callback callback) {
  napi_value function = nullptr;
  napi_create_function(env, name, NAPI_AUTO_LENGTH, callback, nullptr, &function);
  napi_set_named_property(env, exports, name, function);
}

napi_value start(napi_env env, napi_value exports) {
  napi_value buffer = nullptr, name = nullptr;
  void* data = nullptr;
  napi_create_arraybuffer(env, 8, &data, &buffer);
  memory = static_cast<std::uint64_t*>(data);
  napi_set_named_property(env, exports, "memory", buffer);
  with_the_cheaper_time([&](auto time) {
    using Time = decltype(time);
    set(env, exports, "work", work<Time>);
    set(env, exports, "fill", fill<Time>);
    set(env, exports, "count", count);
    napi_create_string_utf8(env, Time::kName, NAPI_AUTO_LENGTH, &name);
  });
  napi_set_named_property(env, exports, "time", name);
  return exports;
}

}  // namespace

NAPI_MODULE(polyflake_bare, start)
