// Numbers of a counter, for a queue. The source fetches them in a thread of its own.
#pragma once

#include <chrono>
#include <memory>
#include <optional>

#include <polyflake/carrier.hpp>
#include <polyflake/segment.hpp>

#include "ids/source.hpp"

namespace polyflake::server {

class CounterSource final : public Source {
 public:
  // max_wait_ms: the longest wait of a request. Blocks and errors: as opening a Segment.
  CounterSource(std::shared_ptr<CounterStore> store, const SegmentOptions& options, std::int64_t max_wait_ms);

  Answer take(std::size_t n) override;
  // Numbers have no time: the next caller gets what is here.
  void drop() noexcept override {}
  double ns_per_id() const override { return 0; }  // as fast as its store allows
  const Layout* layout() const override { return nullptr; }
  State state() override;
  void renew() override {}
  void close() noexcept override { segment_.close(); }

 private:
  using Clock = std::chrono::steady_clock;

  bool has_next();
  void note_empty();
  bool waited_too_long() const;

  const std::shared_ptr<CounterStore> store_;
  const std::chrono::milliseconds longest_wait_;
  const bool in_order_;  // of calls, also across servers
  Segment segment_;
  std::optional<std::uint64_t> next_;  // taken from the segment, and not given yet
  std::optional<Clock::time_point> empty_since_;
};

}  // namespace polyflake::server
