#include <polyflake/store.hpp>

#include <algorithm>

#include "lease/step.hpp"

namespace polyflake {

lease::Contents MemoryStore::read(const lease::Read& read) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return tables_.read(read, "memory", now());
}

lease::Answer MemoryStore::cas(const lease::Cas& request) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto store_ms = now();
  return {tables_.step(request, "memory", store_ms), request.echo, store_ms};
}

}  // namespace polyflake
