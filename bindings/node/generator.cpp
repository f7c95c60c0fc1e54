// Opening generators, here or on a thread of libuv's pool, and asking about them.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "objects.hpp"

namespace polyflake::node {

namespace {

// (worker, layout, ordering, clock, numbers, kind, entropy); undefined leaves the core's default.
// worker: BigInt | string | [names, values] | { lease }. numbers: an object with those of numberOptions that were given.
// kind: of ids that the positions are spelled as. entropy: Uint8Array.
facade::Options options_of(Environment& environment, const Napi::CallbackInfo& info) {
  facade::Options options;
  const Napi::Value worker = info[0];
  if (worker.IsArray()) {
    const auto pair = worker.As<Napi::Array>();
    const NamedValues fields = named_values_of(pair.Get(0u), pair.Get(1u));
    options.set_worker_fields(fields.names, fields.values);
  } else if (worker.IsString()) {
    options.set_worker_text(text_of(worker, "worker_source_invalid"));
  } else if (worker.IsObject()) {
    options.set_worker_lease(lease_of(environment, index_of(worker.As<Napi::Object>().Get("lease"))));
  } else if (!worker.IsUndefined()) {
    options.set_worker_number(int64_of(worker, "worker_source_invalid"));
  }
  if (!info[1].IsUndefined()) options.set_layout(text_of(info[1], "layout_invalid"));
  if (!info[2].IsUndefined()) options.set_ordering(text_of(info[2], "option_invalid"));
  if (!info[3].IsUndefined()) options.set_clock(object_in<&Environment::clocks>(environment, info[3]));
  if (!info[5].IsUndefined()) options.set_kind(text_of(info[5], "option_invalid"));
  if (!info[6].IsUndefined()) options.set_entropy(binary_of(info[6], "option_invalid"));
  if (info[4].IsUndefined()) return options;
  const auto numbers = info[4].As<Napi::Object>();
  for (const facade::NumberOption& option : facade::number_options()) {
    const Napi::Value value = numbers.Get(option.camel);
    if (!value.IsUndefined()) options.set_number(option.snake, int64_of(value, "option_invalid"));
  }
  return options;
}

// (options...) -> generator
Napi::Value open_generator(Environment& environment, const Napi::CallbackInfo& info) {
  auto generator = std::make_unique<facade::Generator>(options_of(environment, info));
  return Napi::Number::New(info.Env(), environment.generators.add(std::move(generator)));
}

class Opening : public Napi::AsyncWorker {
 public:
  Opening(Napi::Env env, facade::Options options)
      : AsyncWorker(env, "polyflake open"), options_(std::move(options)), promise_(Napi::Promise::Deferred::New(env)) {}

  Napi::Promise promise() const { return promise_.Promise(); }

 private:
  // On a pool thread: no JavaScript in here.
  void Execute() override {
    try {
      generator_ = std::make_unique<facade::Generator>(options_);
    } catch (...) {
      failure_ = std::current_exception();
    }
  }

  void OnOK() override {
    try {
      if (failure_) std::rethrow_exception(failure_);
      auto& environment = *Env().GetInstanceData<Environment>();
      promise_.Resolve(Napi::Number::New(Env(), environment.generators.add(std::move(generator_))));
    } catch (const Napi::Error& error) {
      promise_.Reject(error.Value());
    } catch (...) {
      promise_.Reject(failure(Env()).Value());
    }
  }

  facade::Options options_;
  Napi::Promise::Deferred promise_;
  std::unique_ptr<facade::Generator> generator_;
  std::exception_ptr failure_;
};

// (options...) -> promise of a generator
Napi::Value open_generator_async(Environment& environment, const Napi::CallbackInfo& info) {
  auto opening = std::make_unique<Opening>(info.Env(), options_of(environment, info));
  const Napi::Promise promise = opening->promise();
  opening->Queue();
  opening.release();  // deletes itself when it is done
  return promise;
}

// (generator)
Napi::Value renew(Environment& environment, const Napi::CallbackInfo& info) {
  generator_of(environment, index_of(info[0])).renew();
  return info.Env().Undefined();
}

// (generator) -> { name, code }
Napi::Value state(Environment& environment, const Napi::CallbackInfo& info) {
  const facade::GeneratorState state = generator_of(environment, index_of(info[0])).state();
  auto result = Napi::Object::New(info.Env());
  result.Set("name", state.name);
  result.Set("code", state.code);
  return result;
}

// (generator)
Napi::Value close(Environment& environment, const Napi::CallbackInfo& info) {
  generator_of(environment, index_of(info[0])).close();
  return info.Env().Undefined();
}

// (generator) -> boolean
Napi::Value closed(Environment& environment, const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(info.Env(), generator_of(environment, index_of(info[0])).closed());
}

// (generator) -> node id
Napi::Value worker(Environment& environment, const Napi::CallbackInfo& info) {
  return Napi::BigInt::New(info.Env(), generator_of(environment, index_of(info[0])).worker());
}

// (generator) -> canonical text
Napi::Value layout_text(Environment& environment, const Napi::CallbackInfo& info) {
  return Napi::String::New(info.Env(), generator_of(environment, index_of(info[0])).layout());
}

// (generator) -> object
Napi::Value stats(Environment& environment, const Napi::CallbackInfo& info) {
  return object_of(info.Env(), generator_of(environment, index_of(info[0])).stats());
}

}  // namespace

void add_generator(Napi::Object exports, Environment& environment) {
  add<open_generator>(exports, "openGenerator", environment);
  add<open_generator_async>(exports, "openGeneratorAsync", environment);
  add<forget<&Environment::generators>>(exports, "forgetGenerator", environment);
  add<renew>(exports, "renew", environment);
  add<state>(exports, "state", environment);
  add<close>(exports, "close", environment);
  add<closed>(exports, "closed", environment);
  add<worker>(exports, "worker", environment);
  add<layout_text>(exports, "layoutText", environment);
  add<stats>(exports, "stats", environment);
  auto names = Napi::Array::New(exports.Env());
  for (const facade::NumberOption& option : facade::number_options()) {
    names.Set(names.Length(), Napi::String::New(exports.Env(), option.camel));
  }
  exports.Set("numberOptions", names);
}

}  // namespace polyflake::node
