// The rules that keep ids unique, with their names, and their numbers in docs/leases.md (41 is half
// of 32). The simulator can leave each of them out: base/rules.hpp.
#pragma once

#include "base/rules.hpp"

namespace polyflake::lease {

enum class Rule {
  stamp_is_bounded = 1,
  positions_only_rise = 2,
  compare_nonce = 3,
  adopt_nothing_by_owner = 4,
  unknown_is_forfeited = 5,
  freeze_before_release = 6,
  own_word_per_grant = 7,
  renewals_carry_incarnation = 8,
  absent_is_quarantined = 9,
  nonce_not_version = 11,
  revalidate_only_in_time = 12,
  revalidate_only_where_owners_are_safe = 13,
  store_bounds_windows = 14,
  copy_check_after_swap = 15,
  copies_never_release = 16,
  isolated_primaries_do_not_count = 17,
  successor_starts_above = 18,
  create_in_one_step = 19,
  settle_before_floor = 20,
  clock_after_reply = 21,
  execution_of_request = 22,
  creation_writes_namespace = 23,
  compare_uuid_and_term = 24,
  incarnation_names_a_reign = 25,
  begin_again_at_incarnation = 26,
  nothing_before_its_beginning = 27,
  majority_of_named = 28,
  copies_stay = 29,
  not_settled_is_a_field = 30,
  until_only_rises = 31,
  links_are_part_of_reign = 32,
  reign_at_each_look = 33,
  shared_is_no_name = 34,
  empty_counts_alone = 35,
  takeover_begins_at_until = 36,
  whole_ticks_in_window = 37,
  given_back_above_stamps = 38,
  settling_keeps_floor = 39,
  answer_repeats_echo = 40,
  partial_links_count = 41,  // the half of rule 32 that counts links which take over no data
  name_of_one_cas = 42,
  stop_at_fallen_revision = 43,
};

using polyflake::holds;
using polyflake::keeps;

}  // namespace polyflake::lease
