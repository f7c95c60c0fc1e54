// Stores over carriers, with what only some languages need.
#pragma once

#include <polyflake/carrier.hpp>

#include <memory>
#include <string>

#include "count/dialect.hpp"

namespace polyflake {

// As carried_store(). place: of the namespace; its counter is left out.
std::shared_ptr<CarriedStore> make_carried_store(const std::string& kind, const count::Place& place,
                                                 std::shared_ptr<Carrier> carrier);

}  // namespace polyflake
