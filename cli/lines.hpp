// Lines of a file descriptor, for millions of lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace polyflake::cli {

class Lines {
 public:
  explicit Lines(int descriptor) : descriptor_(descriptor), bytes_(kSize) {}

  // Gives the next line; returns false at the end. A line ends with LF or CR LF, except perhaps the
  // last. A line of 64 KiB or more is cut to its beginning. The line is valid until the next
  // call. Blocks for I/O. Errors: StreamFailure.
  bool next(std::string_view& line);

  // Returns true if that was the beginning of a longer line.
  bool cut() const { return rest_; }
  std::uint64_t number() const { return number_; }  // of the last line given, from 1

  // Returns true if another line is ready without waiting for input.
  bool waiting() const;

 private:
  static constexpr std::size_t kSize = 64 * 1024;

  bool fill();
  const char* newline();
  const char* newline_from(std::size_t offset) const;
  void skip_rest();

  const int descriptor_;
  std::vector<char> bytes_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::uint64_t number_ = 0;
  bool rest_ = false;  // of the last line given, still to be read
  bool ended_ = false;
};

}  // namespace polyflake::cli
