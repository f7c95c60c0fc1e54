// What a lease of the facade holds: for the facade alone.
#pragma once

#include <memory>

#include "facade/lease.hpp"
#include "open/lease.hpp"

namespace polyflake::facade {

struct Lease::Held {
  std::shared_ptr<lease::Lease> lease;
};

}  // namespace polyflake::facade
