// Opens sources of ids, here or on a thread of libuv's pool, and reports their state.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "objects.hpp"

namespace polyflake::node {

namespace {

void set_numbers(facade::Options& options, Napi::Value value) {
  if (!value.IsObject()) facade::raise("option_invalid", "numbers are given in an object");
  const auto numbers = value.As<Napi::Object>();
  for (const std::string& name : facade::number_options_of("snowflake")) {
    const Napi::Value number = numbers.Get(facade::spelled(name, facade::Spelling::camel));
    if (!number.IsUndefined()) options.set_number(name, int64_of(number, "option_invalid"));
  }
}

// { worker, layout, ordering, clock, numbers, kind, entropy, counter }; undefined leaves the core's
// default.
// worker: BigInt | string | [names, values] | { lease }. numbers: an object with the given ones of
// numberOptions(). kind: of the ids. entropy: Uint8Array. counter: of newCounter().
facade::Options options_of(Environment& environment, Napi::Value value) {
  if (!value.IsObject()) facade::raise("option_invalid", "the options of a source are an object");
  const auto given = value.As<Napi::Object>();
  facade::Options options;
  const Napi::Value worker = given.Get("worker");
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
  const auto take = [&given](const char* name, auto set) {
    const Napi::Value option = given.Get(name);
    if (!option.IsUndefined()) set(option);
  };
  take("layout", [&](Napi::Value layout) { options.set_layout(text_of(layout, "layout_invalid")); });
  take("ordering", [&](Napi::Value ordering) { options.set_ordering(text_of(ordering, "option_invalid")); });
  take("clock", [&](Napi::Value clock) { options.set_clock(object_in<&Environment::clocks>(environment, clock)); });
  take("kind", [&](Napi::Value kind) { options.set_kind(text_of(kind, "option_invalid")); });
  take("entropy", [&](Napi::Value words) { options.set_entropy(binary_of(words, "option_invalid")); });
  take("counter", [&](Napi::Value counter) { options.set_counter(counter_of(environment, index_of(counter))); });
  take("numbers", [&](Napi::Value numbers) { set_numbers(options, numbers); });
  return options;
}

// (options) -> source
Napi::Value open_source(Environment& environment, const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), environment.sources.add(facade::Source::open(options_of(environment, info[0]))));
}

class Opening : public Napi::AsyncWorker {
 public:
  Opening(Napi::Env env, facade::Options options)
      : AsyncWorker(env, "polyflake open"), options_(std::move(options)), promise_(Napi::Promise::Deferred::New(env)) {}

  Napi::Promise promise() const { return promise_.Promise(); }

 private:
  // On a pool thread: no JavaScript here.
  void Execute() override {
    try {
      source_ = facade::Source::open(options_);
    } catch (...) {
      failure_ = std::current_exception();
    }
  }

  void OnOK() override {
    try {
      if (failure_) std::rethrow_exception(failure_);
      auto& environment = *Env().GetInstanceData<Environment>();
      promise_.Resolve(Napi::Number::New(Env(), environment.sources.add(std::move(source_))));
    } catch (const Napi::Error& error) {
      promise_.Reject(error.Value());
    } catch (...) {
      promise_.Reject(failure(Env()).Value());
    }
  }

  facade::Options options_;
  Napi::Promise::Deferred promise_;
  std::unique_ptr<facade::Source> source_;
  std::exception_ptr failure_;
};

// (options) -> promise of a source
Napi::Value open_source_async(Environment& environment, const Napi::CallbackInfo& info) {
  auto opening = std::make_unique<Opening>(info.Env(), options_of(environment, info[0]));
  const Napi::Promise promise = opening->promise();
  opening->Queue();
  opening.release();  // deletes itself when it is done
  return promise;
}

// (source)
Napi::Value renew(Environment& environment, const Napi::CallbackInfo& info) {
  source_of(environment, index_of(info[0])).renew();
  return info.Env().Undefined();
}

// (source) -> { name, code }
Napi::Value state(Environment& environment, const Napi::CallbackInfo& info) {
  const facade::GeneratorState state = source_of(environment, index_of(info[0])).state();
  auto result = Napi::Object::New(info.Env());
  result.Set("name", state.name);
  result.Set("code", state.code);
  return result;
}

// (source)
Napi::Value close(Environment& environment, const Napi::CallbackInfo& info) {
  source_of(environment, index_of(info[0])).close();
  return info.Env().Undefined();
}

// (source) -> boolean
Napi::Value closed(Environment& environment, const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(info.Env(), source_of(environment, index_of(info[0])).closed());
}

// (source) -> node id
Napi::Value worker(Environment& environment, const Napi::CallbackInfo& info) {
  return Napi::BigInt::New(info.Env(), source_of(environment, index_of(info[0])).worker());
}

// (source) -> canonical text
Napi::Value layout_text(Environment& environment, const Napi::CallbackInfo& info) {
  return Napi::String::New(info.Env(), source_of(environment, index_of(info[0])).layout());
}

// (source) -> object
Napi::Value stats(Environment& environment, const Napi::CallbackInfo& info) {
  return object_of(info.Env(), source_of(environment, index_of(info[0])).stats());
}

// (kind) -> the names of its options that are whole numbers
Napi::Value number_options(Environment&, const Napi::CallbackInfo& info) {
  std::vector<std::string> names = facade::number_options_of(text_of(info[0], "option_invalid"));
  for (std::string& name : names) name = facade::spelled(name, facade::Spelling::camel);
  return array_of(info.Env(), names);
}

}  // namespace

void add_generator(Napi::Object exports, Environment& environment) {
  add<open_source>(exports, "openSource", environment);
  add<open_source_async>(exports, "openSourceAsync", environment);
  add<forget<&Environment::sources>>(exports, "forgetSource", environment);
  add<renew>(exports, "renew", environment);
  add<state>(exports, "state", environment);
  add<close>(exports, "close", environment);
  add<closed>(exports, "closed", environment);
  add<worker>(exports, "worker", environment);
  add<layout_text>(exports, "layoutText", environment);
  add<stats>(exports, "stats", environment);
  add<number_options>(exports, "numberOptions", environment);
}

}  // namespace polyflake::node
