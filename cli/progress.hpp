// Progress of a long command: a line on standard error, if that is a terminal and the output is
// not.
#pragma once

#include <cstdint>

#include "output.hpp"

namespace polyflake::cli {

class Progress {
 public:
  Progress(const Output& out, Output& err);
  ~Progress();  // clears the line

  // Call once for each id. Shows the count about ten times a second.
  void count() {
    if ((++count_ & 4095) == 0 && shown_) show();
  }
  void clear();

 private:
  void show();

  Output& err_;
  const bool shown_;
  bool on_line_ = false;
  std::uint64_t count_ = 0;
  std::int64_t shown_at_ms_ = 0;
};

}  // namespace polyflake::cli
