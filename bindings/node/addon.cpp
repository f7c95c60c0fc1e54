// The addon's entry: the setup of each environment, and the calls that need no object.
#include "convert.hpp"
#include "environment.hpp"

namespace polyflake::node {

Environment::Environment(Napi::Env env) : env_(env) {
  auto memory = Napi::ArrayBuffer::New(env, sizeof(Claimed));
  claimed = static_cast<Claimed*>(memory.Data());
  claimed_memory = Napi::Persistent(memory);
  napi_env nobody = nullptr;
  // Acquire-release: the previous environment has finished writing to first_.
  if (first_env_.compare_exchange_strong(nobody, env, std::memory_order_acq_rel, std::memory_order_relaxed))
    first_ = this;
}

Environment::~Environment() {
  if (first_env_.load(std::memory_order_relaxed) == env_) first_env_.store(nullptr, std::memory_order_release);
}

Environment& Environment::look_up(napi_env env, napi_callback_info info) noexcept {
  void* data = nullptr;
  napi_get_cb_info(env, info, nullptr, nullptr, nullptr, &data);
  return *static_cast<Environment*>(data);
}

std::atomic<napi_env> Environment::first_env_{nullptr};
Environment* Environment::first_ = nullptr;

facade::Source& source_of(Environment& environment, std::uint32_t index) {
  facade::Source* const source = environment.sources.find(index);
  if (source == nullptr) facade::raise("generator_closed", "there is no such source");
  return *source;
}

facade::Generator& generator_of(Environment& environment, std::uint32_t index) {
  facade::Source& source = source_of(environment, index);
  if (!source.has_positions()) facade::raise("option_invalid", "ids of this source have no positions");
  return static_cast<facade::Generator&>(source);
}

Napi::Error failure(Napi::Env env) {
  const facade::Failure what = facade::current_failure(facade::Spelling::camel);
  const auto* const environment = env.GetInstanceData<Environment>();
  if (environment->error.IsEmpty()) return Napi::Error::New(env, what.code + ": " + what.message);
  const Napi::Value position =
      what.position < 0 ? env.Undefined() : Napi::Number::New(env, static_cast<double>(what.position));
  const Napi::Object error =
      environment->error.New({Napi::String::New(env, what.code), Napi::String::New(env, what.message), position});
  return Napi::Error(env, error);
}

namespace {

Napi::Value version(Environment&, const Napi::CallbackInfo& info) {
  return Napi::String::New(info.Env(), facade::version());
}

Napi::Value presets(Environment&, const Napi::CallbackInfo& info) {
  return array_of(info.Env(), facade::preset_names());
}

// Returns the core's table of errors: an object with a kind for every code.
Napi::Value error_kinds(Environment&, const Napi::CallbackInfo& info) {
  auto kinds = Napi::Object::New(info.Env());
  for (const facade::Failure& row : facade::error_table()) kinds.Set(row.code, row.kind);
  return kinds;
}

// -> the warning for the process; "" if there is none, or if it was read before
Napi::Value take_warning(Environment&, const Napi::CallbackInfo& info) {
  return Napi::String::New(info.Env(), facade::take_warning());
}

// (untrusted text) -> its form for a message
Napi::Value quoted(Environment&, const Napi::CallbackInfo& info) {
  return Napi::String::New(info.Env(), facade::quoted(text_of(info[0], "option_invalid")));
}

// (constructor of PolyflakeError)
Napi::Value set_error(Environment& environment, const Napi::CallbackInfo& info) {
  if (!info[0].IsFunction()) facade::raise("option_invalid", "expected a constructor");
  environment.error = Napi::Persistent(info[0].As<Napi::Function>());
  return info.Env().Undefined();
}

// (id, codec) -> text
Napi::Value to_text(Environment&, const Napi::CallbackInfo& info) {
  return Napi::String::New(info.Env(), facade::to_text(id_of(info[0]), text_of(info[1], "option_invalid")));
}

// (text, codec) -> id
Napi::Value from_text(Environment&, const Napi::CallbackInfo& info) {
  const std::string codec = text_of(info[1], "option_invalid");
  return Napi::BigInt::New(info.Env(), facade::from_text(text_of(info[0], "text_invalid"), codec));
}

// (text) -> id
Napi::Value id_from_text(Environment&, const Napi::CallbackInfo& info) {
  return Napi::BigInt::New(info.Env(), facade::id_from_text(text_of(info[0], "text_invalid")));
}

// (misspelled name, known names) -> the one that is meant, or ''
Napi::Value closest(Environment&, const Napi::CallbackInfo& info) {
  const std::string given = text_of(info[0], "option_invalid");
  return Napi::String::New(info.Env(), facade::closest(given, texts_of(info[1], "option_invalid")));
}

Napi::Object start(Napi::Env env, Napi::Object exports) {
  auto owned = std::make_unique<Environment>(env);
  Environment& environment = *owned;
  env.SetInstanceData(owned.release());
  add<version>(exports, "version", environment);
  add<presets>(exports, "presets", environment);
  add<error_kinds>(exports, "errorKinds", environment);
  add<take_warning>(exports, "takeWarning", environment);
  add<quoted>(exports, "quoted", environment);
  add<set_error>(exports, "setError", environment);
  add<to_text>(exports, "toText", environment);
  add<from_text>(exports, "fromText", environment);
  add<id_from_text>(exports, "idFromText", environment);
  add<closest>(exports, "closest", environment);
  add_codec(exports, environment);
  add_explain(exports, environment);
  add_sqids(exports, environment);
  add_layout(exports, environment);
  add_generator(exports, environment);
  add_claim(exports, environment);
  add_tickets(exports, environment);
  add_sources(exports, environment);
  add_numbers(exports, environment);
  add_kinds(exports, environment);
  add_lease(exports, environment);
  add_counter(exports, environment);
  add_dates(exports, environment);
  add_seal(exports, environment);
  add_command(exports);
  return exports;
}

}  // namespace

}  // namespace polyflake::node

static Napi::Object polyflake_start(Napi::Env env, Napi::Object exports) {
  return polyflake::node::start(env, exports);
}

NODE_API_MODULE(polyflake, polyflake_start)
