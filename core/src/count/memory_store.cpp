#include <polyflake/error.hpp>
#include <polyflake/memory_store.hpp>

namespace polyflake {
namespace {

constexpr const char* kIncarnation = "memory";  // lasts as long as the writes

}  // namespace

// Checked before the lock, which another thread of the original may have held.
void MemoryStore::refuse_copy() const {
  if (in_copy_) throw Error(ErrorCode::store_unavailable, "a store in memory is not shared with a copy of its process");
}

lease::Contents MemoryStore::read(const lease::Read& read) {
  refuse_copy();
  const std::lock_guard<std::mutex> lock(mutex_);
  return tables_.read(read, kIncarnation, now_ms());
}

lease::Answer MemoryStore::cas(const lease::Cas& request) {
  refuse_copy();
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto store_ms = now_ms();
  return {tables_.step(request, kIncarnation, store_ms), request.echo, store_ms};
}

count::Contents MemoryStore::read_counter(const std::string& name) {
  refuse_copy();
  const std::lock_guard<std::mutex> lock(mutex_);
  // Asking makes no entry: names come from anywhere.
  const auto found = counters_.find(name);
  count::Contents contents;
  contents.space = tables_.space;
  if (found != counters_.end()) contents.record = found->second;
  contents.incarnation = kIncarnation;
  contents.store_ms = now_ms();
  contents.may_fail_over = false;
  return contents;
}

count::Names MemoryStore::counter_names() {
  refuse_copy();
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!tables_.space) return std::nullopt;
  std::vector<std::string> names;
  for (const auto& [name, record] : counters_) names.push_back(name);
  return names;
}

template <class Request>
count::Answer MemoryStore::step(const Request& request) {
  refuse_copy();
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = counters_.find(request.counter);
  auto record = found == counters_.end() ? std::nullopt : std::optional(found->second);
  const count::Answer answer = count::step(record, request, {tables_.space, kIncarnation, now_ms()});
  if (answer.outcome == count::Outcome::ok) counters_.insert_or_assign(request.counter, *record);
  return answer;
}

count::Answer MemoryStore::add(const count::Add& request) { return step(request); }
count::Answer MemoryStore::write_head(const count::WriteHead& request) { return step(request); }
count::Answer MemoryStore::back(const count::Back& request) { return step(request); }

}  // namespace polyflake
