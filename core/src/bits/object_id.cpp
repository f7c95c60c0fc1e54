#include <polyflake/object_id.hpp>

#include <polyflake/error.hpp>

#include <algorithm>

#include "base/text_refusal.hpp"
#include "bits/hex_digits.hpp"

namespace polyflake {
namespace {

constexpr std::uint64_t kProcesses = std::uint64_t{1} << 40;
constexpr std::uint32_t kCounters = 1 << 24;

std::uint32_t second_of(std::int64_t unix_ms) {
  constexpr std::int64_t kLastMs = ((std::int64_t{1} << 32) - 1) * 1000 + 999;
  if (unix_ms >= 0 && unix_ms <= kLastMs) return static_cast<std::uint32_t>(unix_ms / 1000);
  throw Error(ErrorCode::field_out_of_range, "time " + std::to_string(unix_ms) +
                                                 " ms is outside what an ObjectId can say, 0 to " +
                                                 std::to_string(kLastMs) + " ms since 1970");
}

}  // namespace

void ObjectId::write(char* text) const {
  for (std::size_t i = 0; i < bytes.size(); ++i) write_hex(bytes[i], text + 2 * i);
}

std::string ObjectId::text() const {
  std::string text(kTextLength, '0');
  write(text.data());
  return text;
}

ObjectId ObjectId::parse(std::string_view text) {
  const TextRefusal refusal("ObjectId", text);
  ObjectId id{};
  for (std::size_t i = 0; i < std::min(kTextLength, text.size()); ++i) {
    const int digit = hex_value(text[i]);
    if (digit < 0) refusal.at(i, "the digits are 0123456789abcdef");
    id.bytes[i / 2] = static_cast<std::uint8_t>(id.bytes[i / 2] << 4 | digit);
  }
  if (text.size() != kTextLength) refusal.at(std::min(text.size(), kTextLength), "it has 24 characters");
  return id;
}

ObjectIdParts ObjectId::decode() const {
  const std::uint64_t high = load_big_endian(bytes.data()), low = load_big_endian(bytes.data() + 4);
  return {static_cast<std::int64_t>(high >> 32) * 1000, low >> 24, static_cast<std::uint32_t>(low % kCounters)};
}

ObjectId ObjectId::first_id(std::int64_t unix_ms) { return of(second_of(unix_ms), 0, 0); }

ObjectId ObjectId::last_id(std::int64_t unix_ms) { return of(second_of(unix_ms), kProcesses - 1, kCounters - 1); }

}  // namespace polyflake
