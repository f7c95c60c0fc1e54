// CounterOptions: what a counter counts. For init_counter() of counters.hpp, once per counter.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace polyflake {

struct CounterOptions {
  std::string kind = "segment";  // or "date"
  // The reaction to a store that may have lost writes. "jump": the counter goes on above all that
  // was lost. "stop": no number until an operator says which is free. "trust": an operator vouches
  // that the store loses none.
  std::string failover = "jump";
  // For segments. Rate and burst size the jump after a failover, in numbers a second and at once:
  // the counter never gives out more than that. top: the last number, below 2^63 - 1.
  std::optional<std::uint64_t> rate;   // default 1 000 000
  std::optional<std::uint64_t> burst;  // default 10 000 000
  std::optional<std::uint64_t> top;    // default 2^63 - 2
  // For dates. The period is that of the store's time in a zone: an offset such as "+08:00".
  std::optional<std::string> period;    // "yyyyMMdd" (default), "yyyyMM" or "yyyy"
  std::optional<std::uint64_t> digits;  // of the count within a period, 1 to 10; default 6
  std::optional<std::string> zone;      // default "+00:00"
};

}  // namespace polyflake
