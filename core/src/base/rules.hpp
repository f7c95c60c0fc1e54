// Rules that the simulator (tests/simulation) can leave out: it must then find the fault that the
// rule prevents. Every other build keeps all of them, and the check costs nothing.
//
// An enum named Rule lists the rules of a room, numbered from 1 to 63.
#pragma once

#include <cstdint>

namespace polyflake {

#if defined(POLYFLAKE_RULES_CAN_BE_LEFT_OUT)
template <class Rule>
inline std::uint64_t rules_left_out = 0;  // one bit per rule
template <class Rule>
bool keeps(Rule rule) {
  return (rules_left_out<Rule> >> static_cast<int>(rule) & 1) == 0;
}
#else
template <class Rule>
constexpr bool keeps(Rule) {
  return true;
}
#endif

// Returns whether a rule allows to go on: its condition is true, or the rule is left out.
template <class Rule>
bool holds(Rule rule, bool condition) {
  return condition || !keeps(rule);
}

}  // namespace polyflake
