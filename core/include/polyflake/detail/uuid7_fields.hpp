// The bit positions of an id's fields in a UUID of version 7. Source: RFC 9562, 5.7.
#pragma once

#include <cstdint>

#include <polyflake/layout.hpp>

namespace polyflake::detail {

// The two words of 8 bytes, or their 74 bits below the time: 12 in the high word, 62 in the low
// one.
struct Uuid7Words {
  static constexpr unsigned kHighBits = 12;
  static constexpr unsigned kLowBits = 62;

  std::uint64_t high;
  std::uint64_t low;

  // `shift`: a position within the 74 bits.
  constexpr void put(std::uint64_t value, unsigned shift) {
    high |= shift >= kLowBits ? value << (shift - kLowBits) : value >> (kLowBits - shift);
    if (shift < kLowBits) low |= value << shift & ones(kLowBits);
  }
  constexpr std::uint64_t take(unsigned shift, unsigned width) const {
    if (shift >= kLowBits) return high >> (shift - kLowBits) & ones(width);
    return (low >> shift | high << (kLowBits - shift)) & ones(width);
  }
};

struct Uuid7Fields {
  static constexpr std::uint64_t kVersion = 7 << 12;
  static constexpr std::uint64_t kVariant = std::uint64_t{1} << 63;

  struct Bits {
    unsigned width, shift;  // in the id
  };
  std::uint64_t epoch_ms, time_mask, sequence_mask, node_mask, tail_mask;
  unsigned time_shift, sequence_shift;  // in the id
  unsigned sequence, node;              // within the 74 bits
  // Move the sequence to its positions in the high and the low word.
  unsigned up, down, low_up;
  // This many neighbours differ in only one of the two words.
  std::uint64_t block;

  // Returns the positions of ids since 1970 without node fields.
  static constexpr Uuid7Fields of(Bits time, Bits sequence) {
    constexpr unsigned kLow = Uuid7Words::kLowBits, kHigh = Uuid7Words::kHighBits;
    Uuid7Fields fields{};
    fields.time_mask = ones(time.width);
    fields.time_shift = time.shift;
    fields.sequence_mask = ones(sequence.width);
    fields.sequence_shift = sequence.shift;
    fields.sequence = fields.node = kHigh + kLow - sequence.width;
    fields.tail_mask = ones(fields.node);
    fields.up = fields.sequence > kLow ? fields.sequence - kLow : 0;
    fields.down = fields.sequence < kLow ? kLow - fields.sequence : 0;
    fields.low_up = fields.sequence < kLow ? fields.sequence : kLow;
    fields.block = std::uint64_t{1} << (sequence.width > kHigh ? sequence.width - kHigh : sequence.width);
    return fields;
  }

  // `words` has the node id in its bits.
  constexpr Uuid7Words spelled(std::uint64_t id, Uuid7Words words, std::uint64_t tail) const {
    const std::uint64_t in_tick = id >> sequence_shift & sequence_mask;
    words.high |= in_tick << up >> down;
    words.low |= in_tick << low_up & ones(Uuid7Words::kLowBits);
    words.put(tail & tail_mask, 0);
    words.high |= ((id >> time_shift & time_mask) + epoch_ms) << 16 | kVersion;
    words.low |= kVariant;
    return words;
  }
};

}  // namespace polyflake::detail
