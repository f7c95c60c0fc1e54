// UUIDs as values: 16 bytes, their text, and 63-bit ids as UUIDs of version 7 (RFC 9562). Pure
// functions; sources of UUIDs are in uuid7.hpp and uuid4.hpp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <polyflake/detail/big_endian.hpp>
#include <polyflake/detail/uuid7_fields.hpp>
#include <polyflake/layout.hpp>

namespace polyflake {

struct Uuid {
  static constexpr std::size_t kTextLength = 36;

  std::array<std::uint8_t, 16> bytes;  // big endian: they sort like the text

  static Uuid of(std::uint64_t high, std::uint64_t low) {
    Uuid uuid;
    uuid.set(high, low);
    return uuid;
  }
  void set(std::uint64_t high, std::uint64_t low) {
    store_big_endian(bytes.data(), high);
    store_big_endian(bytes.data() + 8, low);
  }
  std::uint64_t high() const { return load_big_endian(bytes.data()); }
  std::uint64_t low() const { return load_big_endian(bytes.data() + 8); }
  int version() const { return bytes[6] >> 4; }

  // Returns 8-4-4-4-12 lower-case hex digits.
  std::string text() const;
  // Writes kTextLength characters without a terminating NUL.
  void write(char* text) const;

  // Returns the UUID of a text in this one spelling. Errors: text_invalid.
  static Uuid parse(std::string_view text);

  friend bool operator==(const Uuid& a, const Uuid& b) { return a.bytes == b.bytes; }
  friend bool operator!=(const Uuid& a, const Uuid& b) { return a.bytes != b.bytes; }
  friend bool operator<(const Uuid& a, const Uuid& b) { return a.bytes < b.bytes; }
};

// The fields of a UUID of version 7 from a source of this library.
struct Uuid7Parts {
  std::int64_t time_ms;    // Unix ms
  std::uint64_t tick;      // since the layout's epoch
  std::uint32_t sequence;  // as in the id
  std::uint64_t node;      // 0 without a worker
  std::uint64_t tail;      // random bits
};

// Converts between ids of a layout and UUIDs of version 7: the instant in ms, then 74 bits, most
// significant first: sequence, node id, tail. So UUIDs of one layout sort like its ids, and differ
// if the ids do. Source: RFC 9562, 5.7 and 6.2 (methods 1 and 3).
class Uuid7Bits {
 public:
  // Errors: layout_invalid (the tick is not 1 ms, or its instants exceed 48 bits or begin before
  // 1970).
  explicit Uuid7Bits(const Layout& layout);

  // Returns the UUID of an id. Uses as many low bits of `tail` as fit, at most 64.
  Uuid uuid_of(std::uint64_t id, std::uint64_t tail) const {
    const Words words = fields_.spelled(id, node_words(id), tail);
    return Uuid::of(words.high, words.low);
  }
  // Returns the same for an id of kUuid7Layout, whose bit positions the compiler knows.
  static Uuid uuid_without_worker(std::uint64_t id, std::uint64_t tail) {
    constexpr Fields kFields = Fields::of({45, 18}, {18, 0});
    const Words words = kFields.spelled(id, {0, 0}, tail);
    return Uuid::of(words.high, words.low);
  }
  // Writes the same for n ids, at half the cost if they are consecutive.
  void spell(const std::uint64_t* ids, const std::uint64_t* tails, std::size_t n, Uuid* uuids) const;

  // Returns the fields. Errors: id_out_of_range (not a UUID of version 7), field_out_of_range (a
  // time outside the layout's). A layout whose epoch is 1970 and that has no node fields takes any
  // time, so that it reads UUIDs from other sources.
  Uuid7Parts decode(const Uuid& uuid) const;

  // Returns the smallest (first_id) or the largest UUID of version 7 of this ms, from any source:
  // for range queries by time. Errors: field_out_of_range outside 0 to 2^48 - 1.
  static Uuid first_id(std::int64_t unix_ms);
  static Uuid last_id(std::int64_t unix_ms);

  const Layout& layout() const { return layout_; }

 private:
  using Words = detail::Uuid7Words;
  using Fields = detail::Uuid7Fields;

  static Fields fields_of(const Layout& layout);
  // Returns how many ids at the beginning, at most a block, rise by `step` in one tick, or are all
  // equal.
  std::size_t neighbours(const std::uint64_t* ids, std::size_t n, std::uint64_t step) const;
  // `first` has no tail.
  void spell_block(const Uuid& first, Words rise, const std::uint64_t* tails, std::size_t n, Uuid* uuids) const;
  // Returns the node id of an id, shifted to its bits.
  Words node_words(std::uint64_t id) const { return fields_.node_mask == 0 ? Words{0, 0} : words_of_fields(id); }
  Words words_of_fields(std::uint64_t id) const;

  Layout layout_;
  Fields fields_;
};

}  // namespace polyflake
