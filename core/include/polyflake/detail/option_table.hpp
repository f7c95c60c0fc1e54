// The options of sources as a table, for code that reads them by name or copies them.
#pragma once

#include <cstdint>

#include <polyflake/options.hpp>

namespace polyflake {

// An option that is a whole number.
struct NumberOption {
  const char* name;
  void (*set)(Options& options, std::int64_t value);
  bool of_time;  // sources of other kinds have it, too
};
// All of them.
struct NumberOptions {
  const NumberOption* begin() const;
  const NumberOption* end() const;
};
inline NumberOptions number_options() { return {}; }

// Copies the options of time from those of one kind of source to those of another.
template <class To, class From>
void copy_time_options(To& to, const From& from) {
  to.max_wait_ms = from.max_wait_ms;
  to.max_lead_ms = from.max_lead_ms;
  to.clock = from.clock;
}

}  // namespace polyflake
