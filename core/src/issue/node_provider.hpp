// Provides a generator with its node.
#pragma once

#include <polyflake/detail/node.hpp>
#include <polyflake/generator.hpp>

#include <cstdint>
#include <memory>
#include <optional>

namespace polyflake {

class NodeProvider {
 public:
  virtual ~NodeProvider() = default;

  // Returns the node of a generator that is being opened, joined for it. Blocks: I/O. Errors: as
  // Generator().
  virtual Node& open() = 0;

  // Returns a node for an open generator whose own is void, after a fork or the loss of its node
  // id. Its ids are above those of `old`, and its window may begin in the future. Joined for the
  // caller. Null while another call of the process opens one. Blocks: I/O.
  virtual Node* reopen(Node& old) = 0;

  // Returns how many ns to wait after reopen() returned null before asking again; -1: no longer.
  // longest_ms: if another call of the process is opening a node, that is reported after so long.
  // Errors: registry_unusable, store_unavailable, lease_lost.
  virtual std::int64_t wait_ns(std::int64_t waited_ns, std::int64_t longest_ms) const;

  // Returns the state that reopen() leads to in a copy of the process.
  virtual GeneratorState after_fork() const noexcept = 0;

  // Returns the state that reopen() leads to after the node id of a generator is lost.
  virtual GeneratorState after_loss() const noexcept {
    return {GeneratorState::Name::lost, ErrorCode::registry_unusable};
  }

  // Returns the node that the next call would use if the generator's own is void; null if unknown.
  // Never blocks.
  virtual const Node* successor() const noexcept { return nullptr; }

  // Moves on a window that another thread or process extends. Blocks: until that is confirmed.
  // Errors: the reason why it is not.
  virtual void renew() {}

  // Fills in the statistics that only the provider knows.
  virtual void report(Stats& /*stats*/) const noexcept {}

  // Returns why a window that is over was not moved on; nothing if the next call does that.
  virtual std::optional<ErrorCode> withheld_by() const noexcept { return std::nullopt; }

  // Called when the generator is closed: gives back what it had for itself.
  virtual void close() noexcept {}
};

// Opens a generator over a provider that the caller made.
struct OpenedWith {
  static Generator provider(const Options& options, std::unique_ptr<NodeProvider> provider);
  // Returns the node of its positions, also after it was closed.
  static const Node& node(const Generator& generator);
};

}  // namespace polyflake
