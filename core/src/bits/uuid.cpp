#include <polyflake/uuid.hpp>

#include <polyflake/error.hpp>

#include <algorithm>

#include "base/text_refusal.hpp"
#include "bits/hex_digits.hpp"
#include "bits/span.hpp"

namespace polyflake {
namespace {

constexpr std::string_view kUuidForm = "00000000-0000-0000-0000-000000000000";
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
    if (kUuidForm[i] == '-') {
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
  for (std::size_t i = 0; i < kUuidForm.size() && i < text.size(); ++i) {
    if (kUuidForm[i] == '-') {
      if (text[i] != '-') refusal.at(i, "a '-' stands here, as in " + std::string(kUuidForm));
      continue;
    }
    const int digit = hex_value(text[i]);
    if (digit < 0) refusal.at(i, "the digits are 0123456789abcdef");
    uuid.bytes[digits / 2] = static_cast<std::uint8_t>(uuid.bytes[digits / 2] << 4 | digit);
    ++digits;
  }
  if (text.size() != kUuidForm.size()) refusal.at(std::min(text.size(), kUuidForm.size()), "it has 36 characters");
  return uuid;
}

Uuid7Bits::Uuid7Bits(const Layout& layout) : layout_(layout), fields_(fields_of(layout)) {
  if (layout.tick_ms() == 1 && layout.epoch_ms() >= 0 && layout.timestamp().width <= 48 &&
      last_ms(layout) <= kLargestMs)
    return;
  throw Error(ErrorCode::layout_invalid, "layout '" + layout.text() +
                                             "' cannot be spelled as UUIDs of version 7, whose time is 48 bits of "
                                             "milliseconds since 1970: it needs tick=1ms, and to end before 10889");
}

Uuid7Bits::Fields Uuid7Bits::fields_of(const Layout& layout) {
  const Field &time = layout.timestamp(), &sequence = layout.sequence();
  Fields fields = Fields::of({time.width, time.shift}, {sequence.width, sequence.shift});
  fields.epoch_ms = static_cast<std::uint64_t>(layout.epoch_ms());
  for (const Field& field : layout.node_fields()) fields.node_mask |= ones(field.width) << field.shift;
  fields.node -= layout.node_width();
  fields.tail_mask = ones(fields.node);
  return fields;
}

std::size_t Uuid7Bits::neighbours(const std::uint64_t* ids, std::size_t n, std::uint64_t step) const {
  if (step != 0 && step != std::uint64_t{1} << fields_.sequence_shift) return 1;
  const std::uint64_t in_tick = ids[0] >> fields_.sequence_shift & fields_.sequence_mask;
  const std::size_t most = std::min<std::uint64_t>(n, fields_.block - in_tick % fields_.block);
  constexpr std::size_t kPiece = 16;  // examined together
  std::size_t found = 1;
  for (std::uint64_t others = 0; found + kPiece <= most; found += kPiece) {
    for (std::size_t i = found; i < found + kPiece; ++i) others |= ids[i] - ids[i - 1] - step;
    if (others != 0) break;
  }
  while (found < most && ids[found] - ids[found - 1] == step) ++found;
  return found;
}

void Uuid7Bits::spell(const std::uint64_t* ids, const std::uint64_t* tails, std::size_t n, Uuid* uuids) const {
  while (n > 0) {
    const std::uint64_t step = n > 1 ? ids[1] - ids[0] : 0;
    const std::size_t block = neighbours(ids, n, step);
    Words rise{0, 0};  // from one id to the next
    if (block > 1 && step != 0) rise.put(1, fields_.sequence);
    spell_block(uuid_of(ids[0], 0), rise, tails, block, uuids);
    ids += block;
    tails += block;
    uuids += block;
    n -= block;
  }
}

void Uuid7Bits::spell_block(const Uuid& first, Words rise, const std::uint64_t* tails, std::size_t n,
                            Uuid* uuids) const {
  const std::uint64_t tail_mask = fields_.tail_mask;
  std::uint64_t high = first.high(), low = first.low();
  if (rise.high == 0 && tail_mask <= ones(Words::kLowBits)) {  // all have the same high word
    for (std::size_t i = 0; i < n; ++i) {
      uuids[i].set(high, low | (tails[i] & tail_mask));
      low += rise.low;
    }
    return;
  }
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t tail = tails[i] & tail_mask;
    uuids[i].set(high | tail >> Words::kLowBits, low | (tail & ones(Words::kLowBits)));
    high += rise.high;
    low += rise.low;
  }
}

Uuid7Bits::Words Uuid7Bits::words_of_fields(std::uint64_t id) const {
  std::uint64_t node = 0;
  for (const Field& field : layout_.node_fields()) node = node << field.width | (id >> field.shift & ones(field.width));
  Words words{0, 0};
  words.put(node, fields_.node);
  return words;
}

Uuid7Parts Uuid7Bits::decode(const Uuid& uuid) const {
  const std::uint64_t high = uuid.high(), low = uuid.low();
  if (uuid.version() != 7 || low >> Words::kLowBits != kVariantOfRfc)
    refuse_uuid(uuid, "is not of version 7 and the variant of RFC 9562");
  const Words words{high & ones(Words::kHighBits), low & ones(Words::kLowBits)};
  Uuid7Parts parts{};
  parts.time_ms = static_cast<std::int64_t>(high >> 16);
  // Without a node id or an epoch, a UUID of another library passes as well, and its time may be
  // any.
  const bool is_of_anybody = fields_.node_mask == 0 && fields_.epoch_ms == 0;
  parts.tick = is_of_anybody ? high >> 16 : layout_.tick_at(parts.time_ms);
  parts.sequence = static_cast<std::uint32_t>(words.take(fields_.sequence, layout_.sequence().width));
  parts.node = words.take(fields_.node, layout_.node_width());
  parts.tail = words.take(0, fields_.node);
  return parts;
}

Uuid Uuid7Bits::first_id(std::int64_t unix_ms) {
  check_ms(unix_ms);
  return Uuid::of(static_cast<std::uint64_t>(unix_ms) << 16 | Fields::kVersion, Fields::kVariant);
}

Uuid Uuid7Bits::last_id(std::int64_t unix_ms) {
  check_ms(unix_ms);
  return Uuid::of(static_cast<std::uint64_t>(unix_ms) << 16 | Fields::kVersion | ones(Words::kHighBits),
                  Fields::kVariant | ones(Words::kLowBits));
}

Uuid Layout::to_uuid(std::uint64_t id) const {
  unpack(id);  // refuses an id of another layout
  return Uuid7Bits(*this).uuid_of(id, 0);
}

std::uint64_t Layout::from_uuid(const Uuid& uuid) const {
  const Uuid7Bits bits(*this);
  const Uuid7Parts parts = bits.decode(uuid);
  const std::uint64_t id = pack(parts.tick, parts.node, parts.sequence);
  // A UUID with a tail is from a source of UUIDs, and says more than this id.
  if (bits.uuid_of(id, 0) != uuid) refuse_uuid(uuid, "says more than an id of layout '" + text() + "' can hold");
  return id;
}

}  // namespace polyflake
