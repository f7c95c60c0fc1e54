// For programs that need one generator: the default one, opened at the first call.
//
//   std::uint64_t id = polyflake::next_id();
//
// Its node id comes from POLYFLAKE_WORKER in the environment, else from this host's registry. To
// choose the worker, the layout or the waiting, open a Generator instead.
#pragma once

#include <cstdint>
#include <string>

#include <polyflake/generator.hpp>
#include <polyflake/layout.hpp>

namespace polyflake {

// Returns Generator::next_id() of the default generator. Blocks: as that function and, at the first
// call, its constructor. Thread safety: any number of threads.
// Errors: as Generator::next_id() and, at the first call, Generator().
std::uint64_t next_id();

// Returns the same as decimal text, for JSON. Errors: as next_id().
std::string next_id_string();

// Makes these functions use this generator, which must exist as long as they are called.
// Errors: option_invalid after the default generator was used, or another one was set.
void set_default(Generator& generator);

// Returns the default generator: that of set_default(), or the one that next_id() opened. Null
// before there is one; opens none. Thread safety: any thread, and right after a fork.
Generator* default_generator() noexcept;

// Returns the fields of an id by the layout of the default generator, or by Layout("polyflake")
// before the first one exists. Opens none. Errors: id_out_of_range.
Parts decode(std::uint64_t id);

}  // namespace polyflake
