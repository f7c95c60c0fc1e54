#include <polyflake/uuid.hpp>

#include <polyflake/error.hpp>

#include <algorithm>

#include "base/text_refusal.hpp"
#include "bits/hex_digits.hpp"
#include "bits/span.hpp"

namespace polyflake {
namespace {

constexpr std::string_view kForm = "00000000-0000-0000-0000-000000000000";
constexpr std::int64_t kLargestMs = (std::int64_t{1} << 48) - 1;
constexpr std::uint64_t kVariantOfRfc = 0b10;  // in the two bits above the low ones

void check_ms(std::int64_t unix_ms) {
  if (unix_ms >= 0 && unix_ms <= kLargestMs) return;
  throw Error(ErrorCode::field_out_of_range, "time " + std::to_string(unix_ms) +
                                                 " ms is outside what a UUID of version 7 can say, 0 to " +
                                                 std::to_string(kLargestMs) + " ms since 1970");
}

[[noreturn]] void refuse_uuid(const Uuid& uuid, const std::string& why) {
  throw Error(ErrorCode::id_out_of_range, "UUID " + uuid.text() + " " + why);
}

}  // namespace

void Uuid::write(char* text) const {
  const std::uint8_t* byte = bytes.data();
  for (std::size_t i = 0; i < kTextLength;) {
    if (kForm[i] == '-') {
      text[i++] = '-';
    } else {
      write_hex(*byte++, text + i);
      i += 2;
    }
  }
}

std::string Uuid::text() const {
  std::string text(kTextLength, '-');
  write(text.data());
  return text;
}

Uuid Uuid::parse(std::string_view text) {
  const TextRefusal refusal("UUID", text);
  Uuid uuid{};
  unsigned digits = 0;
  for (std::size_t i = 0; i < kForm.size() && i < text.size(); ++i) {
    if (kForm[i] == '-') {
      if (text[i] != '-') refusal.at(i, "a '-' stands here, as in " + std::string(kForm));
      continue;
    }
    const int digit = hex_value(text[i]);
    if (digit < 0) refusal.at(i, "the digits are 0123456789abcdef");
    uuid.bytes[digits / 2] = static_cast<std::uint8_t>(uuid.bytes[digits / 2] << 4 | digit);
    ++digits;
  }
  if (text.size() != kForm.size()) refusal.at(std::min(text.size(), kForm.size()), "it has 36 characters");
  return uuid;
}

Uuid7Bits::Uuid7Bits(const Layout& layout)
    : layout_(layout),
      epoch_ms_(static_cast<std::uint64_t>(layout.epoch_ms())),
      time_mask_(ones(layout.timestamp().width)),
      sequence_mask_(ones(layout.sequence().width)),
      time_shift_(layout.timestamp().shift),
      sequence_shift_(layout.sequence().shift),
      sequence_place_(kHighBits + kLowBits - layout.sequence().width),
      node_place_(sequence_place_ - layout.node_width()),
      up_(sequence_place_ > kLowBits ? sequence_place_ - kLowBits : 0),
      down_(sequence_place_ < kLowBits ? kLowBits - sequence_place_ : 0),
      low_up_(std::min(sequence_place_, kLowBits)) {
  tail_mask_ = ones(node_place_);
  if (layout.tick_ms() == 1 && layout.epoch_ms() >= 0 && layout.timestamp().width <= 48 &&
      last_ms(layout) <= kLargestMs)
    return;
  throw Error(ErrorCode::layout_invalid, "layout '" + layout.text() +
                                             "' cannot be spelled as UUIDs of version 7, whose time is 48 bits of "
                                             "milliseconds since 1970: it needs tick=1ms, and to end before 10889");
}

void Uuid7Bits::spell(const std::uint64_t* ids, const std::uint64_t* tails, std::size_t n, Uuid* uuids) const {
  const std::uint64_t step = std::uint64_t{1} << sequence_shift_;
  Payload one{0, 0};  // of the sequence
  one.place(1, sequence_place_);
  std::uint64_t head = 0;
  Payload rest{0, 0};
  for (std::size_t i = 0; i < n; ++i) {
    if (i != 0 && ids[i] - ids[i - 1] == step && sequence_of(ids[i]) != 0) {  // the next one of a tick
      rest.low += one.low;
      rest.high += one.high + (rest.low >> kLowBits);
      rest.low &= ones(kLowBits);
    } else {
      head = head_of(ids[i]);
      rest = without_tail(ids[i]);
    }
    Payload whole = rest;
    whole.place(tails[i] & tail_mask_, 0);
    uuids[i].set(head | whole.high, kVariant | whole.low);
  }
}

std::uint64_t Uuid7Bits::Payload::take(unsigned shift, unsigned width) const {
  if (shift >= kLowBits) return high >> (shift - kLowBits) & ones(width);
  return (low >> shift | high << (kLowBits - shift)) & ones(width);
}

std::uint64_t Uuid7Bits::node_of(std::uint64_t id) const {
  std::uint64_t node = 0;
  for (const Field& field : layout_.node_fields()) node = node << field.width | (id >> field.shift & ones(field.width));
  return node;
}

Uuid7Parts Uuid7Bits::decode(const Uuid& uuid) const {
  const std::uint64_t high = uuid.high(), low = uuid.low();
  if (uuid.version() != 7 || low >> kLowBits != kVariantOfRfc)
    refuse_uuid(uuid, "is not of version 7 and the variant of RFC 9562");
  const Payload payload{high & ones(kHighBits), low & ones(kLowBits)};
  Uuid7Parts parts{};
  parts.time_ms = static_cast<std::int64_t>(high >> 16);
  // Where nothing tells whose they are, a UUID of others is one too, and theirs may be of any time.
  const bool is_of_anybody = layout_.node_width() == 0 && epoch_ms_ == 0;
  parts.tick = is_of_anybody ? high >> 16 : layout_.tick_at(parts.time_ms);
  parts.sequence = static_cast<std::uint32_t>(payload.take(sequence_place_, layout_.sequence().width));
  parts.node = payload.take(node_place_, layout_.node_width());
  parts.tail = payload.take(0, node_place_);
  return parts;
}

Uuid Uuid7Bits::first_id(std::int64_t unix_ms) {
  check_ms(unix_ms);
  return Uuid::of(static_cast<std::uint64_t>(unix_ms) << 16 | kVersion7, kVariant);
}

Uuid Uuid7Bits::last_id(std::int64_t unix_ms) {
  check_ms(unix_ms);
  return Uuid::of(static_cast<std::uint64_t>(unix_ms) << 16 | kVersion7 | ones(kHighBits), kVariant | ones(kLowBits));
}

Uuid Layout::to_uuid(std::uint64_t id) const {
  unpack(id);  // refuses an id of another layout
  return Uuid7Bits(*this).uuid_of(id, 0);
}

std::uint64_t Layout::from_uuid(const Uuid& uuid) const {
  const Uuid7Bits bits(*this);
  const Uuid7Parts parts = bits.decode(uuid);
  const std::uint64_t id = pack(parts.tick, parts.node, parts.sequence);
  // With a tail it is of a source of UUIDs, and more than this id.
  if (bits.uuid_of(id, 0) != uuid) refuse_uuid(uuid, "says more than an id of layout '" + text() + "' can hold");
  return id;
}

}  // namespace polyflake
