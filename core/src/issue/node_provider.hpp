// Who provides a generator with its node.
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

  // The node of a generator that is being opened, joined for it. Blocks: I/O. Errors: as Generator().
  virtual Node& open() = 0;

  // A node for an open generator whose own is void, after a fork or with a lost node id: its ids are above those of `old`, and
  // its window may begin in the future. Joined for the caller. Null while another call of the process opens one.
  // Blocks: I/O.
  virtual Node* reopen(Node& old) = 0;

  // After reopen() gave null: for how long to wait before asking again, -1: no longer. longest_ms: where another call of the
  // process opens one, after so long that is said. Errors: registry_unusable, store_unavailable, lease_lost.
  virtual std::int64_t wait_ns(std::int64_t waited_ns, std::int64_t longest_ms) const;

  // What reopen() comes to in a copy of the process.
  virtual GeneratorState after_fork() const noexcept = 0;

  // What it comes to where the node id of a generator is lost.
  virtual GeneratorState after_loss() const noexcept {
    return {GeneratorState::Name::lost, ErrorCode::registry_unusable};
  }

  // The node that the next call would go on with where the generator's own is void; null where that is not known. Never blocks.
  virtual const Node* successor() const noexcept { return nullptr; }

  // Moves on a window that grows from elsewhere. Blocks: until that is confirmed. Errors: why it is not.
  virtual void renew() {}

  // Fills in what of the statistics only it knows.
  virtual void report(Stats& /*stats*/) const noexcept {}

  // Why a window that is over was not moved on; nothing where the next call does that.
  virtual std::optional<ErrorCode> withheld_by() const noexcept { return std::nullopt; }

  // The generator is closed: what it had for itself is given back.
  virtual void close() noexcept {}
};

// A generator over a provider that somebody else made.
struct OpenedWith {
  static Generator provider(const Options& options, std::unique_ptr<NodeProvider> provider);
  // Where its positions come from, or came from before it was closed.
  static const Node& node(const Generator& generator);
};

}  // namespace polyflake
