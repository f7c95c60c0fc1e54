// Counters and the tasks of operators on them, as the runner in node/lease.js sees them.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "objects.hpp"

namespace polyflake::node {

facade::Counter& counter_of(Environment& environment, std::uint32_t index) {
  Session* const session = environment.sessions.find(index);
  if (session == nullptr || !session->counter) facade::raise("option_invalid", "there is no such counter");
  return *session->counter;
}

namespace {

// (address, name, { step, ... }, placeholder, numbers of dates, zone) -> counter. The object has
// the given ones of counterOptions(), as BigInt. The last two are undefined for a segment.
Napi::Value new_counter(Environment& environment, const Napi::CallbackInfo& info) {
  if (!info[2].IsObject()) facade::raise("option_invalid", "numbers are given in an object");
  const auto numbers = info[2].As<Napi::Object>();
  NamedValues given;
  for (const std::string& name : facade::counter_number_options()) {
    const Napi::Value number = numbers.Get(facade::spelled(name, facade::Spelling::camel));
    if (number.IsUndefined()) continue;
    given.names.push_back(name);
    given.values.push_back(int64_of(number, "option_invalid"));
  }
  const facade::StoreAddress& address = address_of(environment, info[0]);
  const std::string counter_name = option_text(info[1]), placeholder = option_text(info[3]);
  const facade::Counter counter =
      info[4].IsUndefined()
          ? facade::Counter(address, counter_name, given.names, given.values, placeholder)
          : facade::Counter(address, counter_name, object_in<&Environment::dates>(environment, info[4]),
                            option_text(info[5]), given.names, given.values, placeholder);
  return add_session(environment, info.Env(), {static_cast<const facade::StoreSession&>(counter), {}, counter, {}});
}

// -> the names of the options of a counter that are whole numbers
Napi::Value counter_options(Environment&, const Napi::CallbackInfo& info) {
  std::vector<std::string> names = facade::counter_number_options();
  for (std::string& name : names) name = facade::spelled(name, facade::Spelling::camel);
  return array_of(info.Env(), names);
}

Napi::Value add_task(Environment& environment, Napi::Env env, const facade::CounterTask& task) {
  return add_session(environment, env, {static_cast<const facade::StoreSession&>(task), {}, {}, {}});
}

// The core refuses what is out of range.
std::uint64_t number_of(Napi::Value value) { return static_cast<std::uint64_t>(int64_of(value, "option_invalid")); }

// (address, name, number after which it begins, names of options, their texts, placeholder) -> task
Napi::Value init_counter_task(Environment& environment, const Napi::CallbackInfo& info) {
  const std::vector<std::string> names = texts_of(info[3], "option_invalid");
  const std::vector<std::string> values = texts_of(info[4], "option_invalid");
  if (names.size() != values.size()) facade::raise("option_invalid", "each option has one text");
  return add_task(environment, info.Env(),
                  facade::CounterTask::init(address_of(environment, info[0]), option_text(info[1]), number_of(info[2]),
                                            names, values, option_text(info[5])));
}

// (address, name, number after which it goes on, its period or 0, placeholder) -> task
Napi::Value set_counter_task(Environment& environment, const Napi::CallbackInfo& info) {
  return add_task(environment, info.Env(),
                  facade::CounterTask::set(address_of(environment, info[0]), option_text(info[1]), number_of(info[2]),
                                           number_of(info[3]), option_text(info[4])));
}

// (address, placeholder) -> task
Napi::Value list_counters_task(Environment& environment, const Napi::CallbackInfo& info) {
  const facade::CounterList list(address_of(environment, info[0]), option_text(info[1]));
  return add_session(environment, info.Env(), {static_cast<const facade::StoreSession&>(list), {}, {}, {}, list});
}

Napi::Value value_of(Napi::Env env, const std::string& text) { return Napi::String::New(env, text); }
Napi::Value value_of(Napi::Env env, bool value) { return Napi::Boolean::New(env, value); }
Napi::Value value_of(Napi::Env env, std::uint64_t value) { return Napi::BigInt::New(env, value); }
Napi::Value value_of(Napi::Env env, std::int64_t value) { return number(env, value); }
Napi::Value value_of(Napi::Env env, std::uint32_t value) { return Napi::Number::New(env, value); }
template <class Value>
Napi::Value value_of(Napi::Env env, const std::optional<Value>& value) {
  return value ? value_of(env, *value) : env.Null();
}

// (task) -> [{ name, ... }...], those of CounterState
Napi::Value task_counters(Environment& environment, const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const Session* const session = environment.sessions.find(index_of(info[0]));
  if (session == nullptr || !session->list) facade::raise("option_invalid", "there is no such list");
  auto all = Napi::Array::New(env, session->list->count());
  for (std::uint32_t i = 0; i < session->list->count(); ++i) {
    auto one = Napi::Object::New(env);
    session->list->state(i).each([&](const char* name, const auto& value) {
      one.Set(facade::spelled(name, facade::Spelling::camel), value_of(env, value));
    });
    all.Set(i, one);
  }
  return all;
}

}  // namespace

void add_counter(Napi::Object exports, Environment& environment) {
  add<new_counter>(exports, "newCounter", environment);
  add<counter_options>(exports, "counterOptions", environment);
  add<init_counter_task>(exports, "initCounterTask", environment);
  add<set_counter_task>(exports, "setCounterTask", environment);
  add<list_counters_task>(exports, "listCountersTask", environment);
  add<task_counters>(exports, "taskCounters", environment);
}

}  // namespace polyflake::node
