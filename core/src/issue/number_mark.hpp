// A mark on a node id that was passed as a number, which every process of this host sees. Two
// processes with one number repeat each other's ids, unless their ids serve different purposes: so
// this is a warning, not an error.
//
// The mark is a name of the kernel, as that of process_mark.hpp, but without the process. Processes
// see each other's marks if they share a network namespace (Linux) or a session (Windows).
#pragma once

#include <cstdint>
#include <string>

#include "os/process_name.hpp"

namespace polyflake {

class NumberMark {
 public:
  // Takes the mark and keeps it to the end of the process; a forked child keeps it, too. If another
  // process has it, take_number_warning() tells.
  void take(std::uint64_t fingerprint, std::uint64_t node);

 private:
  ProcessName name_;
};

// Returns the warning about the first such number of this process, once; "" if there is none.
std::string take_number_warning();

}  // namespace polyflake
