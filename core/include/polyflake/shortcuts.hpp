// For programs that need one generator: the default one, opened at the first call.
//
//   std::uint64_t id = polyflake::next_id();
//
// Its node id comes from POLYFLAKE_WORKER in the environment, else from this host's registry. Open a Generator yourself to
// choose the worker, the layout or the waiting.
#pragma once

#include <cstdint>
#include <string>

#include <polyflake/generator.hpp>
#include <polyflake/layout.hpp>

namespace polyflake {

// Generator::next_id() of the default generator. Blocks: as it and, at the first call, its constructor.
// Errors: as Generator::next_id() and, at the first call, Generator(). Thread safety: any number of threads.
std::uint64_t next_id();

// The same as decimal text, for JSON. Errors: as next_id().
std::string next_id_string();

// Makes these functions use a generator of the program's own, which must live as long as they are called.
// Errors: option_invalid once the default generator was used, or another one was set.
void set_default(Generator& generator);

// Layout("polyflake").unpack(id). Errors: id_out_of_range.
Parts decode(std::uint64_t id);

}  // namespace polyflake
