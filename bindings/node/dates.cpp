// Numbers of dates and their texts; periods and zones.
#include <cstdint>
#include <memory>

#include "objects.hpp"

namespace polyflake::node {

namespace {

facade::DateNumbers& dates_of(Environment& environment, const Napi::CallbackInfo& info) {
  return object_in<&Environment::dates>(environment, info[0]);
}

// The core refuses what is out of range.
std::uint64_t field_of(Napi::Value value) { return static_cast<std::uint64_t>(int64_of(value, "field_out_of_range")); }

// Labels, counts and digits are below 2^53.
Napi::Value small(Napi::Env env, std::uint64_t value) { return number(env, static_cast<std::int64_t>(value)); }

// (period, digits, prefix) -> numbers
Napi::Value new_date_numbers(Environment& environment, const Napi::CallbackInfo& info) {
  auto numbers = std::make_unique<facade::DateNumbers>(option_text(info[0]), int64_of(info[1], "option_invalid"),
                                                       option_text(info[2]));
  return Napi::Number::New(info.Env(), environment.dates.add(std::move(numbers)));
}

// (numbers) -> { period, digits, prefix }
Napi::Value describe_date_numbers(Environment& environment, const Napi::CallbackInfo& info) {
  const facade::DateNumbers& numbers = dates_of(environment, info);
  auto result = Napi::Object::New(info.Env());
  result.Set("period", numbers.period());
  result.Set("digits", number(info.Env(), numbers.digits()));
  result.Set("prefix", numbers.prefix());
  return result;
}

// (numbers, label, count) -> number
Napi::Value date_number(Environment& environment, const Napi::CallbackInfo& info) {
  return Napi::BigInt::New(info.Env(), dates_of(environment, info).number(field_of(info[1]), field_of(info[2])));
}

// (numbers, number) -> { label, count }
Napi::Value date_parts(Environment& environment, const Napi::CallbackInfo& info) {
  const facade::DateNumbers& numbers = dates_of(environment, info);
  const std::uint64_t one = field_of(info[1]);
  auto result = Napi::Object::New(info.Env());
  result.Set("label", small(info.Env(), numbers.label_of(one)));
  result.Set("count", small(info.Env(), numbers.count_of(one)));
  return result;
}

// (numbers, number) -> text
Napi::Value date_text(Environment& environment, const Napi::CallbackInfo& info) {
  return Napi::String::New(info.Env(), dates_of(environment, info).text(field_of(info[1])));
}

// (numbers, text) -> number
Napi::Value parse_date(Environment& environment, const Napi::CallbackInfo& info) {
  return Napi::BigInt::New(info.Env(), dates_of(environment, info).parse(text_of(info[1], "text_invalid")));
}

// (zone) -> whether it is the name of a zone, which Intl must know; not an offset
Napi::Value is_zone_name(Environment&, const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(info.Env(), facade::is_zone_name(option_text(info[0])));
}

// (period, offset, Unix ms) -> { label, startMs, endMs }
Napi::Value period_at(Environment&, const Napi::CallbackInfo& info) {
  const facade::DatePeriod period =
      facade::period_at(option_text(info[0]), option_text(info[1]), int64_of(info[2], "option_invalid"));
  auto result = Napi::Object::New(info.Env());
  result.Set("label", small(info.Env(), period.label));
  result.Set("startMs", number(info.Env(), period.start_ms));
  result.Set("endMs", number(info.Env(), period.end_ms));
  return result;
}

}  // namespace

void add_dates(Napi::Object exports, Environment& environment) {
  add<new_date_numbers>(exports, "newDateNumbers", environment);
  add<forget<&Environment::dates>>(exports, "forgetDateNumbers", environment);
  add<describe_date_numbers>(exports, "describeDateNumbers", environment);
  add<date_number>(exports, "dateNumber", environment);
  add<date_parts>(exports, "dateParts", environment);
  add<date_text>(exports, "dateText", environment);
  add<parse_date>(exports, "parseDate", environment);
  add<is_zone_name>(exports, "isZoneName", environment);
  add<period_at>(exports, "periodAt", environment);
}

}  // namespace polyflake::node
