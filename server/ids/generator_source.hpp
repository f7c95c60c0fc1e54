// Ids of a generator, for a queue.
#pragma once

#include <atomic>
#include <cstdint>

#include <polyflake/claims.hpp>
#include <polyflake/generator.hpp>

#include "ids/source.hpp"

namespace polyflake::server {

class GeneratorSource final : public Source {
 public:
  // by_host: its node id is of the registry of this host, whose file renew() writes. Blocks and
  // errors: as opening a generator.
  GeneratorSource(const Options& options, bool by_host);

  Answer take(std::size_t n) override;
  void drop() noexcept override { held_.count = 0; }
  void drop_up_to(std::uint64_t id) noexcept override {
    if (held_.first <= id) drop();
  }
  double ns_per_id() const override { return ns_per_id_; }
  const Layout* layout() const override { return &generator_.layout(); }
  State state() override;
  Renewals renewals() const override;
  void renew() override;
  void close() noexcept override { generator_.close(); }

 private:
  Generator generator_;
  Claims claims_;
  const bool by_host_;
  const double ns_per_id_;
  // Written by the thread that renews alone, and independent of all else.
  std::atomic<std::uint64_t> kept_{0};
  std::atomic<std::int64_t> kept_ns_{0};
  IdRange held_{};  // claimed, and perhaps its time has not come
  bool due_ = false;
  std::int64_t waited_ns_ = 0;
};

}  // namespace polyflake::server
