// The command line, for bin/polyflake.js.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "command.hpp"
#include "environment.hpp"

namespace polyflake::node {
namespace {

std::vector<std::string> command_texts(const Napi::Value& value) {
  const auto array = value.As<Napi::Array>();
  std::vector<std::string> texts;
  texts.reserve(array.Length());
  for (std::uint32_t i = 0; i < array.Length(); ++i) texts.push_back(array.Get(i).As<Napi::String>());
  return texts;
}

// Returns the request to the host: { operation, store, layout, arguments }; undefined once the
// command has ended.
Napi::Value request_to_js(Napi::Env env, const std::optional<cli::Request>& request) {
  if (!request) return env.Undefined();
  auto object = Napi::Object::New(env);
  object.Set("operation", request->operation);
  object.Set("store", request->store);
  object.Set("layout", request->layout);
  auto arguments = Napi::Array::New(env);
  for (const std::string& text : request->arguments) arguments.Set(arguments.Length(), text);
  object.Set("arguments", arguments);
  return object;
}

// The command blocks for I/O; meanwhile leases are renewed and signals handled.
class Step : public Napi::AsyncWorker {
 public:
  Step(Napi::Env env, cli::Command& command)
      : Napi::AsyncWorker(env), command_(command), promise_(Napi::Promise::Deferred::New(env)) {}
  Napi::Promise promise() const { return promise_.Promise(); }

 private:
  void Execute() override { request_ = command_.step(); }
  void OnOK() override { promise_.Resolve(request_to_js(Env(), request_)); }
  void OnError(const Napi::Error& error) override { promise_.Reject(error.Value()); }

  cli::Command& command_;
  const Napi::Promise::Deferred promise_;
  std::optional<cli::Request> request_;
};

class CommandObject : public Napi::ObjectWrap<CommandObject> {
 public:
  static Napi::Function define(Napi::Env env) {
    return DefineClass(
        env, "Command",
        {InstanceMethod<&CommandObject::step>("step"), InstanceMethod<&CommandObject::deliver>("deliver"),
         InstanceMethod<&CommandObject::fail>("fail"), InstanceAccessor<&CommandObject::exit_code>("exitCode")});
  }

  // (arguments)
  explicit CommandObject(const Napi::CallbackInfo& info) : Napi::ObjectWrap<CommandObject>(info) {
    guarded(info, [&] { command_ = std::make_unique<cli::Command>(command_texts(info[0])); });
  }

 private:
  // Turns a foreign exception into an error of JavaScript.
  template <class Call>
  static void guarded(const Napi::CallbackInfo& info, const Call& call) {
    try {
      call();
    } catch (const Napi::Error&) {
      throw;
    } catch (const std::exception& error) {
      throw Napi::Error::New(info.Env(), error.what());
    }
  }

  // -> a promise of the request to the host; call nothing else before it resolves
  Napi::Value step(const Napi::CallbackInfo& info) {
    auto* const step = new Step(info.Env(), *command_);  // deletes itself
    step->Queue();
    return step->promise();
  }

  // (rows of texts)
  void deliver(const Napi::CallbackInfo& info) {
    guarded(info, [&] {
      const auto array = info[0].As<Napi::Array>();
      cli::Rows rows;
      for (std::uint32_t i = 0; i < array.Length(); ++i) rows.push_back(command_texts(array.Get(i)));
      command_->deliver(std::move(rows));
    });
  }

  // (code, message)
  void fail(const Napi::CallbackInfo& info) {
    guarded(info, [&] { command_->fail(info[0].As<Napi::String>(), info[1].As<Napi::String>()); });
  }

  Napi::Value exit_code(const Napi::CallbackInfo& info) { return Napi::Number::New(info.Env(), command_->exit_code()); }

  std::unique_ptr<cli::Command> command_;
};

}  // namespace

void add_command(Napi::Object exports) { exports.Set("Command", CommandObject::define(exports.Env())); }

}  // namespace polyflake::node
