#include "lease/namespace_rules.hpp"

#include <cstdint>
#include <string>

#include "lease/rules.hpp"

namespace polyflake::lease {

NamespaceRecord new_namespace(const Settings& settings, Random& random) {
  NamespaceRecord names;
  names.uuid = settings.uuid ? *settings.uuid : random.word();
  names.nonce = random.word();
  names.term = random.word();
  names.layout = settings.layout;
  names.window_ms = settings.window_ms;
  names.tolerance_ms = settings.tolerance_ms;
  return names;
}

bool is_settled(const NamespaceRecord& names, const std::string& incarnation) {
  return (names.settled || !keeps(Rule::not_settled_is_a_field)) && names.incarnation == incarnation;
}

std::optional<Failure> refusal_of(const std::optional<NamespaceRecord>& names, const Settings& settings) {
  if (!names) {
    return Failure{ErrorCode::namespace_not_initialised,
                   "there is no such namespace in this store; is it the right store? If so, make the namespace once"};
  }
  // None like these is ever made; and not every runner could sleep for so long.
  const bool sound = names->window_ms > 0 && names->window_ms <= INT32_MAX && names->tolerance_ms >= 0 &&
                     names->tolerance_ms < names->window_ms;
  if (!sound) {
    return Failure{ErrorCode::store_unavailable, "the record of the namespace is damaged: a window of " +
                                                     std::to_string(names->window_ms) + " ms with a tolerance of " +
                                                     std::to_string(names->tolerance_ms) + " ms"};
  }
  if (settings.uuid && names->uuid != *settings.uuid) {
    return Failure{ErrorCode::wrong_namespace,
                   "the namespace of this name has another uuid than the one that was asked for"};
  }
  if (names->layout != settings.layout) {
    return Failure{ErrorCode::layout_mismatch,
                   "the namespace belongs to another layout; another layout needs another namespace"};
  }
  return std::nullopt;
}

}  // namespace polyflake::lease
