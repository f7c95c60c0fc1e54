// A key in the text form of a key file.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace polyflake {

// Returns true for a hex digit in any case.
bool is_hex_digit(char c);

// A key of 16, 24 or 32 bytes. The destructor wipes it.
class Key {
 public:
  static constexpr std::size_t kLongest = 32;
  static constexpr std::size_t kLongestText = 2 * kLongest + 2;

  // Reads 32, 48 or 64 hex digits in any case, then at most one line end (LF or CR LF).
  // Errors: text_invalid with the position of the character at fault; the message repeats nothing
  // of the text.
  explicit Key(std::string_view text);
  ~Key();
  Key(const Key&) = delete;
  Key& operator=(const Key&) = delete;

  std::string_view bytes() const { return {bytes_.data(), size_}; }

 private:
  std::array<char, kLongest> bytes_{};
  std::size_t size_ = 0;
};

}  // namespace polyflake
