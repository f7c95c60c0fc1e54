// The worker of a generator in the configuration: the source of its node id.
#pragma once

#include "configuration/section.hpp"

namespace polyflake::server {

// Sets worker, store and by_host of a generator. Requires: its layout is set.
// Errors: ConfigurationError if the worker is missing, malformed or not of this layout.
void read_worker(const Section& section, GeneratorConfiguration& generator);

}  // namespace polyflake::server
