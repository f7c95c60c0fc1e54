// The content of a new namespace, and the reasons to refuse one. For the machine and for the tasks
// of operators.
#pragma once

#include <optional>
#include <string>

#include "lease/machine.hpp"

namespace polyflake::lease {

// Returns a record that is not settled: an earlier namespace of this name may have been lost with
// ids in flight.
NamespaceRecord new_namespace(const Settings& settings, Random& random);

// Returns true if its floor was computed for this incarnation of the store.
bool is_settled(const NamespaceRecord& space, const std::string& incarnation);

// Advice for an operator about a floor in the far future, for messages.
constexpr char kEarlierFloor[] =
    "If that was a mistake, or a host whose clock was wrong, raise_floor sets an earlier floor with `lower`";

// Returns why this is not the namespace that was asked for; nothing if it is.
std::optional<Failure> refusal_of(const std::optional<NamespaceRecord>& space, const Settings& settings);

}  // namespace polyflake::lease
