// A node that belongs to one generator on a manual clock, regardless of its source.
#pragma once

#include <memory>
#include <utility>

#include "issue/node_provider.hpp"

namespace polyflake {

class ManualNodeProvider final : public NodeProvider {
 public:
  // Requires: the node has its window.
  explicit ManualNodeProvider(std::unique_ptr<Node> node) : node_(std::move(node)) {}

  Node& open() override;
  // Errors: always one of forked_generator and registry_unusable.
  Node* reopen(Node& old) override;
  GeneratorState after_fork() const noexcept override;
  void close() noexcept override { node_->release(true); }

 private:
  const std::unique_ptr<Node> node_;
};

}  // namespace polyflake
