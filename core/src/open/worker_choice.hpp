// Which worker a generator gets: the option, the environment's, or what is taken where nobody chose.
#pragma once

#include <polyflake/worker.hpp>

namespace polyflake {

struct WorkerChoice {
  Worker worker;  // a number, one for each node field, or the text of a source
  bool chosen;    // false: by nobody; then it is "host"
};

// Errors: worker_source_invalid.
WorkerChoice choose_worker(const Worker& worker);

}  // namespace polyflake
