// Values of Thrift's binary protocol, read one by one with bounded work and without copies. No I/O.
//
// A reader stops at the first value that is wrong or not whole. From then on each value is 0 or
// empty, so a caller may read on, and ask afterwards.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace polyflake::server::thrift {

enum Type : std::uint8_t {
  kStop = 0,
  kBool = 2,
  kByte = 3,
  kDouble = 4,
  kI16 = 6,
  kI32 = 8,
  kI64 = 10,
  kString = 11,
  kStruct = 12,
  kMap = 13,
  kSet = 14,
  kList = 15
};

struct FieldHeader {
  std::uint8_t type;  // kStop: it was the last one
  std::int16_t id;
};

class Reader {
 public:
  // The limits of a message. Arguments are a struct, so theirs is the first level. The number of
  // values bounds the work for input that comes byte by byte and is read again each time.
  static constexpr std::size_t kLongest = std::size_t{64} << 10;  // with the length of its frame
  static constexpr unsigned kDepth = 16;
  static constexpr unsigned kValues = 1000;

  // position: where the first value begins.
  explicit Reader(std::string_view input, std::size_t position = 0) : input_(input), position_(position) {}

  // Returns true if the input ends within a value.
  bool is_short() const { return short_; }
  // Returns what is wrong, for a sentence after "it has"; null if nothing is.
  const char* wrong() const { return wrong_; }
  // Returns where the next value begins.
  std::size_t position() const { return position_; }
  bool at_end() const { return position_ == input_.size(); }

  // Returns an integer, most significant byte first.
  template <class Integer>
  Integer number() {
    std::uint64_t value = 0;
    for (const char c : take(sizeof(Integer))) value = value << 8 | static_cast<unsigned char>(c);
    return static_cast<Integer>(value);
  }
  std::string_view text() { return take(length()); }
  FieldHeader field();

  // Reads a value of a field of the arguments, and drops it.
  void skip(std::uint8_t type) { skip(type, 1); }

 private:
  void skip(std::uint8_t type, unsigned depth);
  void skip_struct(unsigned depth);
  void skip_elements(std::initializer_list<std::uint8_t> types, unsigned depth);
  std::uint64_t length();
  std::string_view take(std::uint64_t bytes);
  void fail(const char* wrong);

  std::string_view input_;
  std::size_t position_;
  unsigned values_ = 0;
  bool short_ = false;
  const char* wrong_ = nullptr;
};

}  // namespace polyflake::server::thrift
