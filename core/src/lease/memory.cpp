// memory: a store inside the process, which needs no client. See count/memory_stores.hpp.
#include "lease/store_kinds.hpp"

namespace polyflake::lease {

constexpr StoreKind stores::memory{"memory", "memory", false, nullptr};

}  // namespace polyflake::lease
