// Tells a store, of leases or of counters, that this process is a copy.
#pragma once

#include <polyflake/error.hpp>

#include <exception>

namespace polyflake {

// Errors: store_unavailable.
template <class AnyStore>
void tell_of_fork(AnyStore& store) {
  try {
    store.forked();
  } catch (const std::exception& error) {
    throw Error(ErrorCode::store_unavailable, error.what());
  } catch (...) {
    throw Error(ErrorCode::store_unavailable, "the store failed");
  }
}

}  // namespace polyflake
