// A source whose ids are 1, 2, 3, ..., and whose layout and state are what a test says.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "source.hpp"

namespace polyflake::server::test {

class FixedSource final : public Source {
 public:
  FixedSource(std::string name, Layout layout, std::int64_t node)
      : layout_(std::move(layout)), state_{true, std::move(name), "", node, 0} {}

  Answer take(std::size_t n) override {
    const IdRange ids{next_, 1, n, true};
    next_ += n;
    return {ids, 0};
  }
  void drop() noexcept override {}
  double ns_per_id() const override { return 1; }
  const Layout* layout() const override { return &layout_; }
  State state() override { return state_; }
  void renew() override {}
  void close() noexcept override {}

 private:
  const Layout layout_;
  const State state_;
  std::uint64_t next_ = 1;
};

}  // namespace polyflake::server::test
