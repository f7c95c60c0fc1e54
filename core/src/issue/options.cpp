// Checks options and computes the pace from them.
#include <polyflake/detail/option_table.hpp>
#include <polyflake/detail/pace.hpp>
#include <polyflake/options.hpp>

#include <polyflake/error.hpp>

#include <algorithm>
#include <iterator>
#include <string>

#include "base/range_check.hpp"

namespace polyflake {
namespace {

std::int64_t checked_ms(const char* name, std::int64_t ms) {
  constexpr std::int64_t kLongestMs = INT32_MAX;
  return in_range<std::int64_t>(name, ms, 0, kLongestMs);
}

std::uint64_t checked_spread(const Options& options) {
  const auto capacity = static_cast<std::int64_t>(ones(options.layout.sequence().width) + 1);
  const std::int64_t most = std::max<std::int64_t>(capacity / 8, 1);
  return static_cast<std::uint64_t>(
      in_range<std::int64_t>("sequence_spread", options.sequence_spread.value_or(most), 1, most));
}

template <auto member>
void set_number(Options& options, std::int64_t value) {
  options.*member = value;
}

constexpr NumberOption kNumberOptions[] = {
    {"max_wait_ms", set_number<&Options::max_wait_ms>, true},
    {"max_lead_ms", set_number<&Options::max_lead_ms>, true},
    {"sequence_spread", set_number<&Options::sequence_spread>, false},
};

}  // namespace

const NumberOption* NumberOptions::begin() const { return std::begin(kNumberOptions); }
const NumberOption* NumberOptions::end() const { return std::end(kNumberOptions); }

Ordering parse_ordering(std::string_view text) {
  if (text == "strict") return Ordering::strict;
  if (text == "per_thread") return Ordering::per_thread;
  throw Error(ErrorCode::option_invalid, "ordering is " + quoted(text) + "; it may be \"strict\" or \"per_thread\"");
}

Pace::Pace(const Options& options)
    : lead_ticks(checked_ms("max_lead_ms", options.max_lead_ms) / options.layout.tick_ms()),
      wait_ticks(std::max<std::int64_t>(checked_ms("max_wait_ms", options.max_wait_ms) / options.layout.tick_ms(), 1)),
      spread(checked_spread(options)),
      ordering(options.ordering) {}

}  // namespace polyflake
