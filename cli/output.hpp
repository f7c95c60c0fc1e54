// The output of a command: bytes through its own buffer, straight to a file descriptor. So every
// host of the command line prints the same, and nothing mixes with its streams.
#pragma once

#include <cstddef>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>

namespace polyflake::cli {

// The output has no reader any more: a command ends quietly.
class BrokenPipe : public std::exception {};

// The output or the input failed; `what()` names it.
class StreamFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Output {
 public:
  explicit Output(int descriptor) : descriptor_(descriptor) {}
  ~Output() = default;  // writes nothing: output without a flush is dropped
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  // Blocks for I/O once it holds 64 KiB. Errors: BrokenPipe, StreamFailure.
  void write(std::string_view text) {
    buffer_.append(text);
    if (buffer_.size() >= kSize) flush();
  }

  // Returns the buffer, for callers that write into it; they call made() afterwards.
  std::string& buffer() { return buffer_; }
  void made() {
    if (buffer_.size() >= kSize) flush();
  }

  void flush();
  int descriptor() const { return descriptor_; }

 private:
  static constexpr std::size_t kSize = 64 * 1024;

  const int descriptor_;
  std::string buffer_;
};

}  // namespace polyflake::cli
