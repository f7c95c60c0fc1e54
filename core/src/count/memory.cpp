// memory: a store inside the process, which needs no client. See memory_stores.hpp.
#include "count/dialect.hpp"

namespace polyflake::count {

std::unique_ptr<Dialect> stores::memory(const Place&) { return nullptr; }

}  // namespace polyflake::count
