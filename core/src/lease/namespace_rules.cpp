#include "lease/namespace_rules.hpp"

#include <polyflake/layout.hpp>
#include <polyflake/text.hpp>

#include <cstdint>
#include <string>

#include "lease/rules.hpp"

namespace polyflake::lease {
namespace {

// Returns the preset with this fingerprint, else the fingerprint.
std::string layout_of(std::uint64_t fingerprint) {
  for (const std::string& name : Layout::preset_names()) {
    if (Layout::preset(name).fingerprint() == fingerprint) return "the layout '" + name + "'";
  }
  return "a layout of the fingerprint " + to_text(fingerprint, "hex");
}

}  // namespace

NamespaceRecord new_namespace(const Settings& settings, Random& random) {
  NamespaceRecord space;
  space.uuid = settings.uuid ? *settings.uuid : random.word();
  space.nonce = random.word();
  space.term = random.word();
  space.layout = settings.layout;
  space.window_ms = settings.window_ms;
  space.tolerance_ms = settings.tolerance_ms;
  return space;
}

bool is_settled(const NamespaceRecord& space, const std::string& incarnation) {
  return (space.settled || !keeps(Rule::not_settled_is_a_field)) && space.incarnation == incarnation;
}

std::optional<Failure> refusal_of(const std::optional<NamespaceRecord>& space, const Settings& settings) {
  if (!space) {
    return Failure{ErrorCode::namespace_not_initialised,
                   "there is no such namespace in this store. If it is the right store, make the namespace once, with "
                   "`polyflake init ADDRESS` or init_namespace(); or put auto_init=1 into the address"};
  }
  // No namespace is made with such values, and not every runner could sleep for so long.
  const bool sound = space->window_ms > 0 && space->window_ms <= INT32_MAX && space->tolerance_ms >= 0 &&
                     space->tolerance_ms < space->window_ms;
  if (!sound) {
    return Failure{ErrorCode::store_unavailable, "the record of the namespace is damaged: a window of " +
                                                     std::to_string(space->window_ms) + " ms with a tolerance of " +
                                                     std::to_string(space->tolerance_ms) + " ms"};
  }
  if (settings.uuid && space->uuid != *settings.uuid) {
    return Failure{ErrorCode::wrong_namespace,
                   "the namespace of this name has another uuid than the one that was asked for"};
  }
  if (space->layout != settings.layout) {
    return Failure{ErrorCode::layout_mismatch, "the namespace belongs to " + layout_of(space->layout) +
                                                   ", and what was opened has " + layout_of(settings.layout) +
                                                   ": use that of the namespace, or another namespace"};
  }
  return std::nullopt;
}

}  // namespace polyflake::lease
