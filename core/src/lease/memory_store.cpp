#include <polyflake/store.hpp>

namespace polyflake {
namespace {

constexpr const char* kIncarnation = "memory";  // it lasts as long as its writes

}  // namespace

lease::Contents MemoryStore::read(const lease::Read& read) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return tables_.read(read, kIncarnation, now_ms());
}

lease::Answer MemoryStore::cas(const lease::Cas& request) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto store_ms = now_ms();
  return {tables_.step(request, kIncarnation, store_ms), request.echo, store_ms};
}

}  // namespace polyflake
