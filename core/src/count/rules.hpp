// The rules that keep the numbers of counters unique. The simulator can leave each of them out:
// base/rules.hpp.
#pragma once

#include "base/rules.hpp"

namespace polyflake::count {

enum class Rule {
  jump_to_ceiling = 1,   // in another incarnation
  jump_later = 2,        // by twice the tolerance
  base_never_rises = 3,  // not even after a jump
  return_compares_nonce = 4,
  freeze_before_return = 5,
  unknown_is_forfeited = 6,
  period_never_goes_back = 7,
  number_in_period = 8,
  back_writes_nonce = 14,
  head_writes_nonce = 15,  // if it sets `next`
  add_names_period = 16,
  no_jump_at_end = 17,  // of a period
  no_jump_before_top_up = 18,
  return_of_one_piece = 20,
  room_below_ceiling = 21,  // the half of rule 3 that is about top-ups
};

using polyflake::holds;
using polyflake::keeps;

}  // namespace polyflake::count
