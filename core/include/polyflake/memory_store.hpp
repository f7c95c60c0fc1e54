// A store in memory, for tests.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include <polyflake/counter_store.hpp>
#include <polyflake/store.hpp>

namespace polyflake {

// Holds a namespace with its counters in this process's memory: for tests, and as the shortest
// example of a store.
// Its clock is a parameter.
// It fails in a copy of the process (fork), which would have its own store with the same node ids.
// Thread safety: any thread.
class MemoryStore final : public Store, public CounterStore {
 public:
  // now_ms: the store's clock, Unix ms; nullptr: it has none and does not check against it.
  explicit MemoryStore(std::function<std::int64_t()> now_ms = nullptr) : now_ms_(std::move(now_ms)) {}
  lease::Contents read(const lease::Read& read) override;
  lease::Answer cas(const lease::Cas& request) override;
  count::Contents read_counter(const std::string& name) override;
  count::Names counter_names() override;
  count::Answer add(const count::Add& request) override;
  count::Answer write_head(const count::WriteHead& request) override;
  count::Answer back(const count::Back& request) override;
  void forked() override { in_copy_ = true; }

 private:
  void refuse_copy() const;
  template <class Request>
  count::Answer step(const Request& request);
  std::optional<std::int64_t> now_ms() const { return now_ms_ ? std::optional(now_ms_()) : std::nullopt; }

  const std::function<std::int64_t()> now_ms_;
  std::atomic<bool> in_copy_{false};
  std::mutex mutex_;
  lease::Tables tables_;
  std::map<std::string, count::Record> counters_;
};

}  // namespace polyflake
