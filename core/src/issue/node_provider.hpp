// Who provides a generator with its node.
#pragma once

#include <polyflake/detail/node.hpp>
#include <polyflake/generator.hpp>

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

  // What reopen() comes to in a copy of the process.
  virtual GeneratorState after_fork() const noexcept = 0;

  // The generator is closed: what it had for itself is given back.
  virtual void close() noexcept {}
};

}  // namespace polyflake
