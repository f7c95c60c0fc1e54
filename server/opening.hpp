// Opens what a configuration names: generators, counters and their stores.
#pragma once

#include <memory>

#include "configuration.hpp"
#include "source.hpp"

namespace polyflake::server {

// Block: until the source has its node id, or the counter was read. Errors: as opening a Generator
// or a Segment.
std::unique_ptr<Source> open_generator(const GeneratorConfiguration& configuration, const Limits& limits);
std::unique_ptr<Source> open_counter(const CounterConfiguration& configuration);

}  // namespace polyflake::server
