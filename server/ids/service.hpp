// The service: what all connections share, apart from how they speak.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include <polyflake/layout.hpp>

#include "ids/queue.hpp"
#include "operation/metrics.hpp"

namespace polyflake::server {

struct Limits {
  std::uint32_t max_batch = 10'000;  // ids of one request
  std::int64_t max_wait_ms = 500;    // the longest wait of one request
  std::size_t max_connections = 10'000;
  std::size_t max_pending_bytes = std::size_t{64} << 20;  // of requests and replies, in all
};

// Thread safety: that of the event loop.
class Service {
 public:
  explicit Service(const Limits& limits) : limits_(limits) {}

  void add_generator(std::unique_ptr<Queue> queue);
  void add_counter(std::unique_ptr<Queue> queue);
  // Keys of no generator and no counter are served by this generator. Requires: it was added.
  void serve_unknown_keys_by(std::string_view generator);

  // Return the queue of a key, or null. A key is one of a client; generator() knows the one for
  // unknown keys, and queue() also counters.
  Queue* generator(std::string_view key) const;
  Queue* counter(std::string_view key) const;
  Queue* queue(std::string_view key) const;

  // Returns the layout of this text or preset; of "" that of the only generator. Errors: those of
  // Layout, option_invalid if there are several generators.
  Layout layout_to_decode(std::string_view text) const;

  using Queues = std::map<std::string, std::unique_ptr<Queue>, std::less<>>;
  const Queues& generators() const { return generators_; }
  const Queues& counters() const { return counters_; }
  const Limits& limits() const { return limits_; }

  // Returns true if each generator and counter can issue, and the server is not draining.
  bool ready() const;
  void drain() { draining_ = true; }
  bool draining() const { return draining_; }

  // Counts of all connections.
  Metrics& metrics() { return metrics_; }
  const Metrics& metrics() const { return metrics_; }

  // Reserve memory for what a connection holds. Returns false if all together would hold too much.
  bool reserve(std::size_t bytes);
  void release(std::size_t bytes) { pending_ -= bytes; }

 private:
  const Limits limits_;
  Queues generators_;
  Queues counters_;
  Queue* unknown_ = nullptr;
  std::size_t pending_ = 0;
  bool draining_ = false;
  Metrics metrics_;
};

}  // namespace polyflake::server
