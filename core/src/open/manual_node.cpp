#include "open/manual_node.hpp"

#include <polyflake/error.hpp>

#include <string>

namespace polyflake {

Node& ManualNodeProvider::open() {
  node_->join();
  return *node_;
}

Node* ManualNodeProvider::reopen(Node& old) {
  if (!old.grant()->of_this_execution()) {
    throw Error(ErrorCode::forked_generator, "a generator on a manual clock stays with the process that made it");
  }
  throw Error(ErrorCode::registry_unusable,
              "the registry file of node id " + std::to_string(old.id()) + " failed earlier; open a new generator");
}

GeneratorState ManualNodeProvider::after_fork() const noexcept {
  return {GeneratorState::Name::lost, ErrorCode::forked_generator};
}

}  // namespace polyflake
