// How far a long command has come: a line on standard error, where that is a terminal and the output is not.
#pragma once

#include <cstdint>

#include "output.hpp"

namespace polyflake::cli {

class Progress {
 public:
  Progress(const Output& out, Output& err);
  ~Progress();  // clears the line

  // Once for each id. Shows how many there were about ten times a second.
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
