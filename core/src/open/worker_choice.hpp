// Chooses the worker of a generator: the option, else the environment's, else the default.
#pragma once

#include <polyflake/worker.hpp>

namespace polyflake {

struct WorkerChoice {
  Worker worker;  // a number, one per node field, or the text of a source
  bool chosen;    // false: the default, "host"
};

// Returns the choice. Errors: worker_source_invalid.
WorkerChoice choose_worker(const Worker& worker);

}  // namespace polyflake
