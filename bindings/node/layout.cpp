// Layouts and manual clocks.
#include "objects.hpp"

namespace polyflake::node {

namespace {

facade::Layout& layout_of(Environment& environment, Napi::Value value) {
  return object_in<&Environment::layouts>(environment, value, "layout_invalid");
}

// (text or preset) -> layout
Napi::Value new_layout(Environment& environment, const Napi::CallbackInfo& info) {
  const std::string text = text_of(info[0], "layout_invalid");
  return Napi::Number::New(info.Env(), environment.layouts.add(std::make_unique<facade::Layout>(text)));
}

// (layout) -> { text, names, widths, nodeFields, tickMs, epochMs }
Napi::Value describe_layout(Environment& environment, const Napi::CallbackInfo& info) {
  const facade::Layout& layout = layout_of(environment, info[0]);
  const Napi::Env env = info.Env();
  const std::vector<int> widths = layout.field_widths();
  auto width_array = Napi::Array::New(env, widths.size());
  for (std::uint32_t i = 0; i < widths.size(); ++i) width_array.Set(i, widths[i]);
  auto result = Napi::Object::New(env);
  result.Set("text", layout.text());
  result.Set("names", array_of(env, layout.field_names()));
  result.Set("widths", width_array);
  result.Set("nodeFields", array_of(env, layout.node_fields()));
  result.Set("tickMs", number(env, layout.tick_ms()));
  result.Set("epochMs", number(env, layout.epoch_ms()));
  return result;
}

using Encode = std::uint64_t (facade::Layout::*)(std::int64_t, std::int64_t, const std::vector<std::string>&,
                                                 const std::vector<std::int64_t>&) const;

// (layout, tick or Unix ms, sequence, names, values) -> id
template <Encode encode>
Napi::Value encode_with(Environment& environment, const Napi::CallbackInfo& info) {
  const facade::Layout& layout = layout_of(environment, info[0]);
  const std::int64_t when = int64_of(info[1], "field_out_of_range");
  const std::int64_t sequence = int64_of(info[2], "field_out_of_range");
  const NamedValues fields = named_values_of(info[3], info[4]);
  return Napi::BigInt::New(info.Env(), (layout.*encode)(when, sequence, fields.names, fields.values));
}

// (layout, id) -> parts
Napi::Value decode_id(Environment& environment, const Napi::CallbackInfo& info) {
  return array_of(info.Env(), layout_of(environment, info[0]).decode(id_of(info[1])));
}

using Bound = std::uint64_t (facade::Layout::*)(std::int64_t) const;

// (layout, Unix ms) -> id
template <Bound bound>
Napi::Value bound_with(Environment& environment, const Napi::CallbackInfo& info) {
  const facade::Layout& layout = layout_of(environment, info[0]);
  return Napi::BigInt::New(info.Env(), (layout.*bound)(int64_of(info[1], "field_out_of_range")));
}

// (layout, id, offset in s) -> text
Napi::Value friendly(Environment& environment, const Napi::CallbackInfo& info) {
  const facade::Layout& layout = layout_of(environment, info[0]);
  return Napi::String::New(info.Env(), layout.friendly(id_of(info[1]), int64_of(info[2], "option_invalid")));
}

// (layout, text) -> local seconds since 1970
Napi::Value friendly_local_seconds(Environment& environment, const Napi::CallbackInfo& info) {
  return number(info.Env(), layout_of(environment, info[0]).friendly_local_seconds(text_of(info[1], "text_invalid")));
}

// (layout, text, offsets in s) -> id
Napi::Value from_friendly(Environment& environment, const Napi::CallbackInfo& info) {
  const facade::Layout& layout = layout_of(environment, info[0]);
  const std::string text = text_of(info[1], "text_invalid");
  return Napi::BigInt::New(info.Env(), layout.from_friendly(text, int64s_of(info[2], "option_invalid")));
}

// (Unix ms) -> clock
Napi::Value new_clock(Environment& environment, const Napi::CallbackInfo& info) {
  const std::int64_t time_ms = int64_of(info[0], "option_invalid");
  return Napi::Number::New(info.Env(), environment.clocks.add(std::make_unique<facade::ManualClock>(time_ms)));
}

// (clock, Unix ms)
Napi::Value set_clock(Environment& environment, const Napi::CallbackInfo& info) {
  object_in<&Environment::clocks>(environment, info[0]).set(int64_of(info[1], "option_invalid"));
  return info.Env().Undefined();
}

// (clock, ms)
Napi::Value advance_clock(Environment& environment, const Napi::CallbackInfo& info) {
  object_in<&Environment::clocks>(environment, info[0]).advance(int64_of(info[1], "option_invalid"));
  return info.Env().Undefined();
}

// (clock) -> Unix ms
Napi::Value clock_time(Environment& environment, const Napi::CallbackInfo& info) {
  return number(info.Env(), object_in<&Environment::clocks>(environment, info[0]).time_ms());
}

}  // namespace

void add_layout(Napi::Object exports, Environment& environment) {
  add<new_layout>(exports, "newLayout", environment);
  add<forget<&Environment::layouts>>(exports, "forgetLayout", environment);
  add<describe_layout>(exports, "describeLayout", environment);
  add<encode_with<&facade::Layout::encode_tick>>(exports, "encodeTick", environment);
  add<encode_with<&facade::Layout::encode_time>>(exports, "encodeTime", environment);
  add<decode_id>(exports, "decode", environment);
  add<bound_with<&facade::Layout::first_id>>(exports, "firstId", environment);
  add<bound_with<&facade::Layout::last_id>>(exports, "lastId", environment);
  add<friendly>(exports, "friendly", environment);
  add<friendly_local_seconds>(exports, "friendlyLocalSeconds", environment);
  add<from_friendly>(exports, "fromFriendly", environment);
  add<new_clock>(exports, "newClock", environment);
  add<forget<&Environment::clocks>>(exports, "forgetClock", environment);
  add<set_clock>(exports, "setClock", environment);
  add<advance_clock>(exports, "advanceClock", environment);
  add<clock_time>(exports, "clockTime", environment);
}

}  // namespace polyflake::node
