// Refuses numbers of options that are out of range: one sentence for all of them.
#pragma once

#include <polyflake/error.hpp>

#include <string>

namespace polyflake {

// Returns the value. Errors: option_invalid unless it is `least` to `most`.
template <class Number>
Number in_range(const char* name, Number value, Number least, Number most) {
  if (value >= least && value <= most) return value;
  throw Error(ErrorCode::option_invalid, std::string(name) + " is " + std::to_string(value) + "; it may be " +
                                             std::to_string(least) + " to " + std::to_string(most));
}

}  // namespace polyflake
