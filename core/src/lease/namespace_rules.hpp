// What a namespace is when it is made, and which one is refused. For the machine and for what operators do.
#pragma once

#include <optional>
#include <string>

#include "lease/machine.hpp"

namespace polyflake::lease {

// Not settled: one of its name may have been lost with ids in flight.
NamespaceRecord new_namespace(const Settings& settings, Random& random);

// Returns true if its floor was reckoned for this incarnation of the store.
bool is_settled(const NamespaceRecord& names, const std::string& incarnation);

// Says what an operator does about a floor in the far future, for messages.
constexpr char kEarlierFloor[] =
    "If that was a mistake, or a host whose clock was wrong, raise_floor sets an earlier floor with `lower`";

// Why this is not the namespace that was asked for; none where it is.
std::optional<Failure> refusal_of(const std::optional<NamespaceRecord>& names, const Settings& settings);

}  // namespace polyflake::lease
