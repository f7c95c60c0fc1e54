// A mark on a node id that every copy of this library in the process sees: two npm versions, two class loaders, a wheel
// inside of an application that embeds the core. Each has a table of nodes of its own; with one number they would repeat
// each other's ids.
//
// A name of the kernel's that says process, layout and node id, and no version. Linux and Windows have such names; elsewhere
// there is no such mark, and the docs say so.
#pragma once

#include <cstdint>

#include "os/process_name.hpp"

namespace polyflake {

class ProcessMark {
 public:
  // False where another copy of the library in this process has it. Kept to the end of the process.
  // Errors: registry_unusable (no descriptor is left, say).
  bool take(std::uint64_t fingerprint, std::uint64_t node);

 private:
  ProcessName name_;
};

}  // namespace polyflake
