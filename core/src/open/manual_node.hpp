// A node that one generator on a manual clock has for itself, whatever its source.
#pragma once

#include <memory>
#include <utility>

#include "issue/node_provider.hpp"

namespace polyflake {

class ManualNodeProvider final : public NodeProvider {
 public:
  // node: with its window.
  explicit ManualNodeProvider(std::unique_ptr<Node> node) : node_(std::move(node)) {}

  Node& open() override;
  Node* reopen(Node& old) override;  // Errors: forked_generator, registry_unusable: always one of them
  GeneratorState after_fork() const noexcept override;
  void close() noexcept override { node_->release(true); }

 private:
  const std::unique_ptr<Node> node_;
};

}  // namespace polyflake
