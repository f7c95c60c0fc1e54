// Trials of stores, for the tests of the adapters in node/stores.
#include "convert.hpp"
#include "environment.hpp"

namespace polyflake::node {
namespace {

facade::StoreTrial& trial_of(Environment& environment, Napi::Value value) {
  Talk& talk = talk_of(environment, value);
  if (!talk.trial) facade::raise("option_invalid", "there is no such trial");
  return *talk.trial;
}

std::vector<std::string> texts_of(Napi::Value value) {
  if (!value.IsArray()) facade::raise("option_invalid", "expected an array of strings");
  const auto array = value.As<Napi::Array>();
  std::vector<std::string> texts;
  for (std::uint32_t i = 0; i < array.Length(); ++i) {
    const Napi::HandleScope scope(value.Env());
    texts.push_back(text_of(array.Get(i), "option_invalid"));
  }
  return texts;
}

// (address, placeholder) -> trial
Napi::Value new_trial(Environment& environment, const Napi::CallbackInfo& info) {
  const facade::StoreTrial trial(address_of(environment, info[0]), text_of(info[1], "option_invalid"));
  return add_talk(environment, info.Env(), {static_cast<const facade::StoreTalk&>(trial), {}, {}, trial});
}

// (trial, nodes as BigInts)
Napi::Value ask_read(Environment& environment, const Napi::CallbackInfo& info) {
  if (!info[1].IsArray()) facade::raise("option_invalid", "expected an array of node ids");
  const auto array = info[1].As<Napi::Array>();
  std::vector<std::int64_t> nodes;
  nodes.reserve(array.Length());
  for (std::uint32_t i = 0; i < array.Length(); ++i) nodes.push_back(int64_of(array.Get(i), "option_invalid"));
  trial_of(environment, info[0]).ask_read(nodes);
  return info.Env().Undefined();
}

// (trial, names, values)
Napi::Value ask_cas(Environment& environment, const Napi::CallbackInfo& info) {
  const std::vector<std::string> names = texts_of(info[1]), values = texts_of(info[2]);
  if (names.size() != values.size()) facade::raise("option_invalid", "expected as many names as values");
  trial_of(environment, info[0]).ask_cas(names, values);
  return info.Env().Undefined();
}

// (trial) -> text
Napi::Value trial_outcome(Environment& environment, const Napi::CallbackInfo& info) {
  return Napi::String::New(info.Env(), trial_of(environment, info[0]).outcome());
}

// (trial) -> texts
Napi::Value trial_found(Environment& environment, const Napi::CallbackInfo& info) {
  return array_of(info.Env(), trial_of(environment, info[0]).found());
}

}  // namespace

void add_trial(Napi::Object exports, Environment& environment) {
  add<new_trial>(exports, "newTrial", environment);
  add<ask_read>(exports, "askRead", environment);
  add<ask_cas>(exports, "askCas", environment);
  add<trial_outcome>(exports, "trialOutcome", environment);
  add<trial_found>(exports, "trialFound", environment);
}

}  // namespace polyflake::node
