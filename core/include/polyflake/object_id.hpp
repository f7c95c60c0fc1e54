// MongoDB's ObjectIds as values: 12 bytes and their text. A source of them is in object_ids.hpp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <polyflake/detail/big_endian.hpp>

namespace polyflake {

// The fields of an ObjectId.
struct ObjectIdParts {
  std::int64_t time_ms;   // Unix ms of the second
  std::uint64_t process;  // 40 random bits of the process
  std::uint32_t counter;  // 24 bits
};

// Source: the specification of BSON's ObjectID (github.com/mongodb/specifications), 4-5-3 bytes,
// big endian.
struct ObjectId {
  static constexpr std::size_t kTextLength = 24;

  std::array<std::uint8_t, 12> bytes;

  static ObjectId of(std::uint32_t seconds, std::uint64_t process, std::uint32_t counter) {
    ObjectId id;
    id.set(seconds, process, counter);
    return id;
  }
  // Uses the low 40 bits of `process` and the low 24 of `counter`.
  void set(std::uint32_t seconds, std::uint64_t process, std::uint32_t counter) {
    store_big_endian(bytes.data() + 4, process << 24 | (counter & 0xffffff));
    store_big_endian(bytes.data(), static_cast<std::uint64_t>(seconds) << 32 | (process >> 8 & 0xffffffff));
  }

  // Returns 24 lower-case hex digits, which MongoDB's drivers take as they are.
  std::string text() const;
  // Writes kTextLength characters without a terminating NUL.
  void write(char* text) const;

  // Returns the ObjectId of a text in this one spelling. Errors: text_invalid.
  static ObjectId parse(std::string_view text);

  ObjectIdParts decode() const;

  // Returns the smallest (first_id) or the largest ObjectId of the second of this instant, from any
  // source: for range queries on `_id`. Errors: field_out_of_range outside 0 to 2^32 - 1 seconds.
  static ObjectId first_id(std::int64_t unix_ms);
  static ObjectId last_id(std::int64_t unix_ms);

  friend bool operator==(const ObjectId& a, const ObjectId& b) { return a.bytes == b.bytes; }
  friend bool operator!=(const ObjectId& a, const ObjectId& b) { return a.bytes != b.bytes; }
  friend bool operator<(const ObjectId& a, const ObjectId& b) { return a.bytes < b.bytes; }
};

}  // namespace polyflake
