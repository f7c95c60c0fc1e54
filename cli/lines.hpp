// Lines of a file descriptor, by the million.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace polyflake::cli {

class Lines {
 public:
  explicit Lines(int descriptor) : descriptor_(descriptor), bytes_(kSize) {}

  // False at the end. A line ends with LF or CR LF, the last one perhaps without; of one of 64 KiB or more the beginning is
  // given. It lives until the next call. Blocks for I/O. Errors: StreamFailure.
  bool next(std::string_view& line);

  bool cut() const { return rest_; }                // whether that was the beginning of a longer one
  std::uint64_t number() const { return number_; }  // of the line given last, from 1

  // Whether a further line can be had without waiting for anybody.
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
  bool rest_ = false;  // of the line given last, still to come
  bool ended_ = false;
};

}  // namespace polyflake::cli
