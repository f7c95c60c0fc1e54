// The common part of the bare functions that issue ids. They take no arguments: the shared memory
// of claim.cpp names the generator.
#pragma once

#include <cstddef>

#include "environment.hpp"

namespace polyflake::node {

// Turns the exception being handled into a JavaScript exception.
[[gnu::cold]] [[gnu::noinline]] void throw_failure(napi_env env) noexcept;

// Returns a string of this length; null, with a JavaScript exception, if there is no memory for it.
inline napi_value ascii(napi_env env, const char* text, std::size_t length) noexcept {
  napi_value result = nullptr;
  if (napi_create_string_latin1(env, text, length, &result) != napi_ok) {
    napi_throw_error(env, nullptr, "polyflake: out of memory");
  }
  return result;
}

inline void add_bare(Napi::Object exports, const char* name, napi_callback callback, Environment& environment) {
  const Napi::Env env = exports.Env();
  napi_value function = nullptr;
  NAPI_THROW_IF_FAILED_VOID(env, napi_create_function(env, name, NAPI_AUTO_LENGTH, callback, &environment, &function));
  exports.Set(name, function);
}

}  // namespace polyflake::node
