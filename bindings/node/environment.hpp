// What the addon keeps for one JavaScript environment (the main thread, or one worker thread).
//
// Nothing of that is shared between threads: what must be (node ids in use) lives in the core.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include <napi.h>

#include "facade/facade.hpp"
#include "table.hpp"

namespace polyflake::node {

// Memory that JavaScript shares through typed arrays: see claim.cpp.
struct Claimed {
  std::uint64_t id;
  std::int32_t waits;       // 0: the id is ready; 1: it must be waited for
  std::uint32_t generator;  // by JavaScript: whose id to claim
};

// A conversation with a store: of one of three kinds, of which `talk` is a copy, as all copies are the same one.
struct Talk {
  facade::StoreTalk talk;
  std::optional<facade::Lease> lease;
  std::optional<facade::NamespaceTask> task;
  std::optional<facade::StoreTrial> trial;
};

class Environment {
 public:
  // `error` is the constructor of PolyflakeError, called with a code, a message and a position.
  explicit Environment(Napi::Env env);
  ~Environment();
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

  // That of a call to a function which add_claim() made. What a call is told of its environment lies behind a chain of
  // loads, for which the swap of an id waits; the process's first environment, mostly its only one, is a single load away,
  // behind a comparison that the processor predicts.
  static Environment& of(napi_env env, napi_callback_info info) noexcept {
    // Relaxed: whoever reads its own env there wrote both words itself.
    return first_env_.load(std::memory_order_relaxed) == env ? *first_ : look_up(env, info);
  }

  Table<facade::Codec> codecs;
  Table<facade::Sqids> sqids;
  Table<facade::Hashids> hashids;
  Table<facade::Layout> layouts;
  Table<facade::ManualClock> clocks;
  Table<facade::Generator> generators;
  Table<facade::RandomUuids> random_uuids;
  Table<facade::Seal> seals;
  Table<facade::SealRing> rings;
  Table<facade::StoreAddress> addresses;
  Table<Talk> talks;
  Claimed* claimed = nullptr;
  std::uint64_t filled_in = 0;  // the execution that the array which fillSpelled() is at was begun in
  Napi::Reference<Napi::ArrayBuffer> claimed_memory;
  Napi::FunctionReference error;

 private:
  static Environment& look_up(napi_env env, napi_callback_info info) noexcept;

  static std::atomic<napi_env> first_env_;
  static Environment* first_;  // of first_env_, whose thread alone reads it

  napi_env env_;
};

// The object of this number, valid until it is forgotten. For the thread of the environment.
facade::Generator& generator_of(Environment& environment, std::uint32_t index);  // Errors: generator_closed
facade::Lease& lease_of(Environment& environment, std::uint32_t index);          // Errors: option_invalid
facade::StoreAddress& address_of(Environment& environment, Napi::Value value);   // Errors: option_invalid
Talk& talk_of(Environment& environment, Napi::Value value);                      // Errors: option_invalid

// The number of a new conversation.
Napi::Value add_talk(Environment& environment, Napi::Env env, Talk talk);

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
void add_codec(Napi::Object exports, Environment& environment);
void add_explain(Napi::Object exports, Environment& environment);
void add_generator(Napi::Object exports, Environment& environment);
void add_kinds(Napi::Object exports, Environment& environment);
void add_layout(Napi::Object exports, Environment& environment);
void add_lease(Napi::Object exports, Environment& environment);
void add_seal(Napi::Object exports, Environment& environment);
void add_sqids(Napi::Object exports, Environment& environment);
void add_stamped(Napi::Object exports, Environment& environment);
void add_trial(Napi::Object exports, Environment& environment);

}  // namespace polyflake::node
