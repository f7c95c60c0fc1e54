// Stores in memory that have a name, as memory://name: for tests of programs that take the address
// of a store.
#pragma once

#include <polyflake/memory_store.hpp>

#include <string>

#include "lease/store_session.hpp"

namespace polyflake::lease {

// Returns this process's store of that name, made at the first call and kept to the end of the
// process. A copy of the process finds that it answers nothing; a store that the copy is the first
// to name is its own. Thread safety: any thread.
MemoryStore& memory_store(const std::string& name);

// Carries out a read or cas of the asker's here and now, and tells it what came of it.
void carry_out(const Action& action, Store& store, Asker& asker);

}  // namespace polyflake::lease
