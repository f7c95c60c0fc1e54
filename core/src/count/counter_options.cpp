#include "count/counter_options.hpp"

#include <polyflake/date_numbers.hpp>
#include <polyflake/error.hpp>

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <variant>

#include "base/ascii.hpp"
#include "base/range_check.hpp"
#include "count/ceiling.hpp"

namespace polyflake::count {
namespace {

constexpr std::uint64_t kGreatestTop = (std::uint64_t{1} << 63) - 2;
constexpr std::uint64_t kIdleDayS = 86'400;
constexpr std::size_t kLongestName = 64;

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorCode::option_invalid, message); }

bool is_letter_or_digit(char c) { return (c >= 'a' && c <= 'z') || ascii::is_digit(c); }

void check_failover(const std::string& failover) {
  if (failover == "jump" || failover == "stop" || failover == "trust") return;
  refuse("failover is jump, stop or trust, not " + quoted(failover));
}

std::uint64_t positive(const char* name, std::uint64_t value) {
  return in_range<std::uint64_t>(name, value, 1, kGreatestTop);
}

void set_segment(Head& head, const CounterOptions& options, std::uint64_t after) {
  if (options.period || options.digits || options.zone) refuse("period, digits and zone are options of a date");
  head.rate = positive("rate", options.rate.value_or(1'000'000));
  head.burst = positive("burst", options.burst.value_or(10'000'000));
  head.top = positive("top", options.top.value_or(kGreatestTop));
  check_after(after, head.top);
  const Wide idle_day = head.burst + Wide{head.rate} * kIdleDayS;
  if (head.failover != "jump" || head.top - after >= idle_day) return;
  refuse(
      "a failover after an idle day would end this counter: raise top, lower rate or burst, or choose another "
      "failover");
}

void set_date(Head& head, const CounterOptions& options, std::uint64_t after) {
  if (options.rate || options.burst || options.top) refuse("rate, burst and top of a date follow from its digits");
  head.period = options.period.value_or("yyyyMMdd");
  head.digits = options.digits.value_or(6);
  head.zone = options.zone.value_or("+00:00");
  check_zone(head.zone);
  head.top = DateNumbers(head.period, head.digits).top();
  // Together they fill a period exactly, so that a jump fits at every hour.
  head.burst = (head.top + 1) / 10;
  head.rate = 9 * head.burst;
  check_after(after, head.top);
}

using Number = std::optional<std::uint64_t> CounterOptions::*;
using Text = std::optional<std::string> CounterOptions::*;

constexpr struct {
  std::string_view name;
  std::variant<std::string CounterOptions::*, Text, Number> member;
} kOptions[] = {{"kind", &CounterOptions::kind},     {"failover", &CounterOptions::failover},
                {"rate", &CounterOptions::rate},     {"burst", &CounterOptions::burst},
                {"top", &CounterOptions::top},       {"period", &CounterOptions::period},
                {"digits", &CounterOptions::digits}, {"zone", &CounterOptions::zone}};

}  // namespace

void set_option(CounterOptions& options, const std::string& name, const std::string& value) {
  for (const auto& option : kOptions) {
    if (option.name != name) continue;
    return std::visit(
        [&](auto member) {
          if constexpr (std::is_same_v<decltype(member), Number>) {
            options.*member = ascii::decimal(value);
            if (!(options.*member)) refuse(name + " is a whole number, not " + quoted(value));
          } else {
            options.*member = value;
          }
        },
        option.member);
  }
  refuse("a counter has no option " + quoted(name));
}

bool is_name(const std::string& name) {
  return !name.empty() && name.size() <= kLongestName && is_letter_or_digit(name[0]) &&
         std::all_of(name.begin(), name.end(),
                     [](char c) { return is_letter_or_digit(c) || c == '.' || c == '_' || c == '-'; });
}

void check_name(const std::string& name) {
  if (!is_name(name)) {
    refuse("the name of a counter is 1 to 64 of a-z 0-9 . _ - and begins with one of a-z 0-9, not " + quoted(name));
  }
}

void check_zone(const std::string& zone) {
  if (offset_of(zone) || is_zone_name(zone)) return;
  refuse("the zone is an offset of less than a day, such as +08:00, or a name, such as Asia/Tokyo, not " +
         quoted(zone));
}

void check_after(std::uint64_t after, std::uint64_t top) { in_range<std::uint64_t>("after", after, 0, top); }

Shape shape_of(const Head& head) { return {head.kind, head.period, head.digits, head.zone}; }

std::string shown(const Shape& shape) {
  if (shape.kind != "date") return "a " + shape.kind;
  return "a date of " + shape.period + " with " + std::to_string(shape.digits) + " digits in the zone " + shape.zone;
}

Head head_of(const CounterOptions& options, std::uint64_t after) {
  check_failover(options.failover);
  Head head;
  head.kind = options.kind;
  head.failover = options.failover;
  if (head.kind == "segment") set_segment(head, options, after);
  else if (head.kind == "date") set_date(head, options, after);
  else refuse("the kind of a counter is segment or date, not " + quoted(head.kind));
  return head;
}

PeriodOf periods_of(const Shape& shape) {
  const auto offset_ms = offset_of(shape.zone);
  if (!offset_ms) {
    check_zone(shape.zone);
    refuse("this program knows no zones by their names: the zone is an offset, such as +08:00, not " +
           quoted(shape.zone));
  }
  return
      [format = shape.period, offset = *offset_ms](std::int64_t unix_ms) { return period_at(format, offset, unix_ms); };
}

}  // namespace polyflake::count
