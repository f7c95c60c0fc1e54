#include "kind_description.hpp"

#include <polyflake/error.hpp>
#include <polyflake/object_id.hpp>
#include <polyflake/text.hpp>
#include <polyflake/uuid.hpp>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "description.hpp"
#include "json.hpp"

namespace polyflake::cli {
namespace {

struct Facts {
  const char* kind;
  std::optional<std::int64_t> time_ms;
  std::vector<std::pair<const char*, std::string>> others;
};

bool is_hex_digit(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

bool is_uuid(std::string_view text) {
  constexpr std::size_t kDashes[] = {8, 13, 18, 23};
  const auto is_dash = [text](std::size_t at) { return text[at] == '-'; };
  return text.size() == Uuid::kTextLength && std::all_of(std::begin(kDashes), std::end(kDashes), is_dash);
}

bool is_object_id(std::string_view text) {
  return text.size() == ObjectId::kTextLength && std::all_of(text.begin(), text.end(), is_hex_digit);
}

// Returns the last `count` hex digits of a number.
std::string last_hex(std::uint64_t number, std::size_t count) {
  const std::string all = to_text(number, "hex");
  return all.substr(all.size() - count);
}

// Returns the id of the layout that the UUID spells, if it spells one.
std::optional<std::uint64_t> snowflake_of(const Layout& layout, const Uuid& uuid) {
  try {
    return layout.from_uuid(uuid);
  } catch (const Error&) {
    return std::nullopt;
  }
}

Facts facts_of_uuid(std::string_view given, const std::string& name, const Layout& layout) {
  const Uuid uuid = Uuid::parse(given);
  constexpr int kVariant = 2;  // of RFC 9562
  const int variant = uuid.bytes[8] >> 6;
  if (variant == kVariant && uuid.version() == 4) return {"uuid4", std::nullopt, {{"random", "122 bits"}}};
  if (variant != kVariant || uuid.version() != 7) {
    throw Error(ErrorCode::text_invalid, "a UUID of version " + std::to_string(uuid.version()) + ", variant " +
                                             std::to_string(variant) +
                                             ": this command knows versions 4 and 7 of variant 2");
  }
  Facts facts{"uuid7", static_cast<std::int64_t>(uuid.high() >> 16), {}};
  facts.others.emplace_back("rand_a", last_hex(uuid.high() & 0xfff, 3));
  facts.others.emplace_back("rand_b", last_hex(uuid.low() << 2 >> 2, 16));
  if (const auto id = snowflake_of(layout, uuid)) {
    facts.others.emplace_back("layout", name);
    facts.others.emplace_back("snowflake", to_text(*id));
  }
  return facts;
}

Facts facts_of(std::string_view given, const std::string& name, const Layout& layout) {
  if (is_uuid(given)) return facts_of_uuid(given, name, layout);
  const ObjectIdParts parts = ObjectId::parse(given).decode();
  return {"objectid",
          parts.time_ms,
          {{"process", last_hex(parts.process, 10)}, {"counter", std::to_string(parts.counter)}}};
}

}  // namespace

// A snowflake and numbers of a segment, of a date and of a ticket server look alike.
Shape shape_of(std::string_view text) {
  if (is_uuid(text) || is_object_id(text)) return Shape::other_kind;
  constexpr std::size_t kShortestTime = 17;
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  if (digits >= kShortestTime && digits < text.size() && text[digits] == '-') return Shape::friendly;
  return Shape::number;
}

void KindDescription::append_json(std::string& text, std::string_view given, std::int64_t now_ms) {
  const Facts facts = facts_of(given, name_, layout_);
  JsonObject json(text);
  json.text("id", given);
  json.text("kind", facts.kind);
  if (facts.time_ms) {
    json.text("time", to_utc(*facts.time_ms));
    json.number("time_ms", *facts.time_ms);
    json.open("local_time");
    text += '"';
    local_.append(text, *facts.time_ms);
    text += '"';
    json.number("age_ms", now_ms - *facts.time_ms);
  }
  for (const auto& [name, value] : facts.others) json.text(name, value);
  json.end_line();
}

void KindDescription::append_text(std::string& text, std::string_view given, std::int64_t now_ms, const Style& style) {
  const Facts facts = facts_of(given, name_, layout_);
  const auto line = [&](std::string_view name, const std::string& value) {
    text += labelled(name, style) + value + '\n';
  };
  line("id", style.bold(given));
  line("kind", facts.kind);
  if (facts.time_ms) {
    line("time", to_utc(*facts.time_ms));
    std::string local;
    local_.append(local, *facts.time_ms);
    line("local time", local);
    line("age", relative(*facts.time_ms, now_ms));
  } else {
    line("time", "none: the bits of this kind are random");
  }
  for (const auto& [name, value] : facts.others) line(name, value);
}

}  // namespace polyflake::cli
