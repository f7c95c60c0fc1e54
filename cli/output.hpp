// What a command writes: bytes through a buffer of its own, straight to a file descriptor, so that every host of the command
// line prints the same and nothing mixes with its streams.
#pragma once

#include <cstddef>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>

namespace polyflake::cli {

// Nobody reads the output any more: a command ends quietly.
class BrokenPipe : public std::exception {};

// The output, or the input, of which `what()` tells failed.
class StreamFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Output {
 public:
  explicit Output(int descriptor) : descriptor_(descriptor) {}
  ~Output() = default;  // writes nothing: what was not flushed was not meant to be seen
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  // Blocks for I/O once 64 KiB have gathered. Errors: BrokenPipe, StreamFailure.
  void write(std::string_view text) {
    buffer_.append(text);
    if (buffer_.size() >= kSize) flush();
  }

  // What is written may be built up here; then made() is called.
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
