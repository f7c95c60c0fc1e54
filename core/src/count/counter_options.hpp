// The meaning of CounterOptions: the head of a new counter.
#pragma once

#include <polyflake/counter_options.hpp>
#include <polyflake/counter_store.hpp>

#include <cstdint>
#include <string>

#include "count/period.hpp"

namespace polyflake::count {

// Returns true for [a-z0-9][a-z0-9._-]{0,63}.
bool is_name(const std::string& name);
// Errors: option_invalid for any other name.
void check_name(const std::string& name);

// Errors: option_invalid, unless it is an offset or may be the name of a zone.
void check_zone(const std::string& zone);

// Errors: option_invalid if `after`, the last number that is taken, is above the counter's last.
void check_after(std::uint64_t after, std::uint64_t top);

// Sets one of the options by its name: "kind", "failover", "rate", "burst", "top", "period",
// "digits" or "zone". Errors: option_invalid.
void set_option(CounterOptions& options, const std::string& name, const std::string& value);

// The part of a counter that all processes must agree on.
struct Shape {
  std::string kind = "segment";
  std::string period;
  std::uint64_t digits = 0;
  std::string zone;

  friend bool operator==(const Shape& a, const Shape& b) {
    return a.kind == b.kind && a.period == b.period && a.digits == b.digits && a.zone == b.zone;
  }
};
Shape shape_of(const Head& head);
std::string shown(const Shape& shape);  // for messages

// Returns the head of a new counter without a nonce, base, time and period. Errors: option_invalid
// if an option is out of range or belongs to the other kind, also `after` (the last number that is
// taken), and if one failover after an idle day would end a counter that jumps.
Head head_of(const CounterOptions& options, std::uint64_t after);

// Returns the periods of an offset. Errors: option_invalid: names of zones need a language's
// library.
PeriodOf periods_of(const Shape& shape);

}  // namespace polyflake::count
