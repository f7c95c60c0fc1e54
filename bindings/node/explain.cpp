// The presets that an unknown id may be from.
#include "convert.hpp"
#include "environment.hpp"

namespace polyflake::node {

namespace {

// (id, Unix ms) -> [[preset, why not or null, names of node fields, parts as of decode or null]...]
Napi::Value explain(Environment&, const Napi::CallbackInfo& info) {
  const facade::Explanations explanations(id_of(info[0]), int64_of(info[1], "option_invalid"));
  const Napi::Env env = info.Env();
  auto rows = Napi::Array::New(env, explanations.size());
  for (std::uint32_t i = 0; i < explanations.size(); ++i) {
    const std::string why_not = explanations.why_not(i);
    auto row = Napi::Array::New(env, 4);
    row.Set(0U, explanations.preset(i));
    row.Set(1U, why_not.empty() ? env.Null() : Napi::String::New(env, why_not));
    row.Set(2U, array_of(env, explanations.node_fields(i)));
    row.Set(3U, explanations.fits(i) ? array_of(env, explanations.parts(i)) : env.Null());
    rows.Set(i, row);
  }
  return rows;
}

}  // namespace

void add_explain(Napi::Object exports, Environment& environment) { add<explain>(exports, "explain", environment); }

}  // namespace polyflake::node
