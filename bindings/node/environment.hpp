// What the addon keeps for one JavaScript environment (the main thread, or one worker thread).
//
// Nothing in here is shared between threads: what must be (node ids in use) lives in the core.
#pragma once

#include <cstdint>

#include <napi.h>

#include "facade.hpp"
#include "table.hpp"

namespace polyflake::node {

// Memory that the addon writes and JavaScript reads through two typed arrays: see claim.cpp.
struct Claimed {
  std::uint64_t id;
  std::int32_t waits;  // 0: the id is ready; 1: it must be waited for
};

class Environment {
 public:
  // `error` is the constructor of PolyflakeError, called with a code and a message.
  explicit Environment(Napi::Env env);

  Table<facade::Layout> layouts;
  Table<facade::ManualClock> clocks;
  Table<facade::Generator> generators;
  Claimed* claimed = nullptr;
  Napi::Reference<Napi::ArrayBuffer> claimed_memory;
  Napi::FunctionReference error;
};

// The exception being handled as a JavaScript error; call it inside a catch block.
Napi::Error failure(Napi::Env env);

using Body = Napi::Value (*)(Environment&, const Napi::CallbackInfo&);

// The one way into the addon: whatever a body throws becomes a JavaScript exception.
template <Body body>
Napi::Value entry(const Napi::CallbackInfo& info) {
  try {
    return body(*static_cast<Environment*>(info.Data()), info);
  } catch (const Napi::Error&) {
    throw;
  } catch (...) {
    throw failure(info.Env());
  }
}

template <Body body>
void add(Napi::Object exports, const char* name, Environment& environment) {
  exports.Set(name, Napi::Function::New<entry<body>>(exports.Env(), name, &environment));
}

// Each adds the functions of its file.
void add_claim(Napi::Object exports, Environment& environment);
void add_generator(Napi::Object exports, Environment& environment);
void add_layout(Napi::Object exports, Environment& environment);

}  // namespace polyflake::node
