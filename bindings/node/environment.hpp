// The state of the addon for one JavaScript environment (the main thread, or one worker thread).
//
// Threads share none of it; the state they must share (node ids in use) is in the core.
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
  std::int32_t waits;       // 0: the id is ready; 1: the caller must wait for it
  std::uint32_t generator;  // written by JavaScript: the source to claim from
};

// A session with a store: a lease, a counter, a task on namespaces, a list of counters, or a task
// on a counter if it is none of them. `session` is a copy of it, which shares its state.
struct Session {
  facade::StoreSession session;
  std::optional<facade::Lease> lease;
  std::optional<facade::Counter> counter;
  std::optional<facade::NamespaceTask> task;
  std::optional<facade::CounterList> list = std::nullopt;
};

class Environment {
 public:
  // `error` is the constructor of PolyflakeError, called with a code, a message and a position.
  explicit Environment(Napi::Env env);
  ~Environment();
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

  // Returns the environment of a call to a function that add_claim() made. Reading it from the
  // call's info needs a chain of loads, which delay the swap of an id. The process's first
  // environment, mostly its only one, is a single load away, behind a comparison that the processor
  // predicts.
  static Environment& of(napi_env env, napi_callback_info info) noexcept {
    // Relaxed: a thread that reads its own env there wrote both words itself.
    return first_env_.load(std::memory_order_relaxed) == env ? *first_ : look_up(env, info);
  }

  Table<facade::Codec> codecs;
  Table<facade::Sqids> sqids;
  Table<facade::Hashids> hashids;
  Table<facade::DateNumbers> dates;
  Table<facade::Layout> layouts;
  Table<facade::ManualClock> clocks;
  Table<facade::Source> sources;
  Table<facade::Seal> seals;
  Table<facade::SealRing> rings;
  Table<facade::StoreAddress> addresses;
  Table<Session> sessions;
  Table<facade::TicketServers> tickets;
  Table<facade::TicketCall> ticket_calls;
  Table<facade::TicketRules> ticket_rules;
  Claimed* claimed = nullptr;
  facade::Filling filling;  // of the array that fill() writes to
  Napi::Reference<Napi::ArrayBuffer> claimed_memory;
  Napi::FunctionReference error;

 private:
  [[gnu::noinline]] static Environment& look_up(napi_env env, napi_callback_info info) noexcept;

  static std::atomic<napi_env> first_env_;
  static Environment* first_;  // that of first_env_; only its thread reads it

  napi_env env_;
};

// Each returns the object of this number, valid until it is forgotten. Only on the thread of the
// environment. Errors: generator_closed for a source, option_invalid for the others, and for a
// generator that is a source of random ids.
facade::Source& source_of(Environment& environment, std::uint32_t index);
facade::Generator& generator_of(Environment& environment, std::uint32_t index);
facade::Lease& lease_of(Environment& environment, std::uint32_t index);
facade::Counter& counter_of(Environment& environment, std::uint32_t index);
facade::StoreAddress& address_of(Environment& environment, Napi::Value value);
Session& session_of(Environment& environment, Napi::Value value);

// Returns the number of a new conversation.
Napi::Value add_session(Environment& environment, Napi::Env env, Session session);

// Returns the exception being handled as a JavaScript error; call it inside a catch block.
Napi::Error failure(Napi::Env env);

using Body = Napi::Value (*)(Environment&, const Napi::CallbackInfo&);

// The only way into the addon: any exception of a body becomes a JavaScript exception.
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

// Each of these adds the functions of its file.
void add_claim(Napi::Object exports, Environment& environment);
void add_codec(Napi::Object exports, Environment& environment);
void add_counter(Napi::Object exports, Environment& environment);
void add_dates(Napi::Object exports, Environment& environment);
void add_explain(Napi::Object exports, Environment& environment);
void add_generator(Napi::Object exports, Environment& environment);
void add_kinds(Napi::Object exports, Environment& environment);
void add_layout(Napi::Object exports, Environment& environment);
void add_lease(Napi::Object exports, Environment& environment);
void add_numbers(Napi::Object exports, Environment& environment);
void add_seal(Napi::Object exports, Environment& environment);
void add_command(Napi::Object exports);
void add_sqids(Napi::Object exports, Environment& environment);
void add_sources(Napi::Object exports, Environment& environment);
void add_tickets(Napi::Object exports, Environment& environment);

}  // namespace polyflake::node
