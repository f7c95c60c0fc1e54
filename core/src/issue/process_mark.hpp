// A mark on a node id that every copy of this library in the process sees: two npm versions, two
// class loaders, a wheel inside of an application that embeds the core. Each copy has its own table
// of nodes; with the same number they would repeat each other's ids.
//
// The mark is a name of the kernel that contains process, layout and node id, and no version. Linux
// and Windows have such names; elsewhere there is no such mark, and the docs say so.
#pragma once

#include <cstdint>

#include "os/process_name.hpp"

namespace polyflake {

class ProcessMark {
 public:
  // Returns false if another copy of the library in this process has the mark. Keeps it to the end
  // of the process. Errors: registry_unusable (for example, no descriptor is left).
  bool take(std::uint64_t fingerprint, std::uint64_t node);

 private:
  ProcessName name_;
};

}  // namespace polyflake
