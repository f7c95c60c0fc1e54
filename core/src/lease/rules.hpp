// The rules that keep ids unique, each by a name, so that a build can leave one out: the simulator must find what it prevents
// (tests/simulation). A build as usual keeps them all, and the question costs nothing.
#pragma once

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
};

#if defined(POLYFLAKE_RULE_LEFT_OUT)
constexpr int kLeftOut = POLYFLAKE_RULE_LEFT_OUT;
#else
constexpr int kLeftOut = 0;
#endif

constexpr bool keeps(Rule rule) { return static_cast<int>(rule) != kLeftOut; }

}  // namespace polyflake::lease
