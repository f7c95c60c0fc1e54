// The state of a lease of the facade: for the facade only.
#pragma once

#include <memory>

#include "facade/lease.hpp"
#include "lease/state_reports.hpp"
#include "open/lease.hpp"

namespace polyflake::facade {

struct Lease::Held {
  std::shared_ptr<lease::Lease> lease;
  lease::StateReports reports;
};

}  // namespace polyflake::facade
