// What was asked for as worker, read: the option, the environment, or what is taken where nobody chose.
#pragma once

#include <polyflake/layout.hpp>
#include <polyflake/worker.hpp>

#include <cstdint>

namespace polyflake {

struct WorkerChoice {
  WorkerSpec spec;     // its number, if any, fits the layout; never `ordinal`, which is a number by now
  bool chosen = true;  // false: by nobody; then it is "host"
};

// Errors: worker_source_invalid, field_out_of_range, unknown_field.
WorkerChoice choose_worker(const Worker& worker, const Layout& layout);

}  // namespace polyflake
