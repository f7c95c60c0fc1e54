// Objects that JavaScript refers to by their number in one of the environment's tables: find and
// forget.
#pragma once

#include "convert.hpp"
#include "environment.hpp"

namespace polyflake::node {

// Returns the object, valid until it is forgotten. Only on the thread of the environment. Errors:
// `code`.
template <auto table>
auto& object_in(Environment& environment, Napi::Value number, const char* code = "option_invalid") {
  auto* const object = (environment.*table).find(index_of(number));
  if (object == nullptr) facade::raise(code, "there is no such object");
  return *object;
}

// (object)
template <auto table>
Napi::Value forget(Environment& environment, const Napi::CallbackInfo& info) {
  (environment.*table).remove(index_of(info[0]));
  return info.Env().Undefined();
}

}  // namespace polyflake::node
