// The text form of a layout: the grammar, and the checks that make a parsed layout usable.
//
//   layout = field { " " field } " tick=" tick " epoch=" instant
//   field  = name ":" width            name = [a-z][a-z0-9_]*, at most 32 characters
//   tick   = number ("ms" | "s")       whole seconds are written in seconds
//   instant = YYYY-MM-DDTHH:MM:SS.mmmZ  1970 or later (RFC 3339, UTC, always three decimals)
//
// Only the canonical spelling is read, so a text equals what text() prints and can be
// fingerprinted.
#include <polyflake/layout.hpp>

#include <polyflake/error.hpp>
#include <polyflake/instant.hpp>

#include <algorithm>
#include <cmath>

#include "base/ascii.hpp"
#include "bits/calendar.hpp"

namespace polyflake {
namespace {

constexpr std::size_t kLongestText = 1024;
constexpr std::size_t kLongestFieldName = 32;
constexpr unsigned kWidestField = 32;  // of sequence and node fields, in bits
constexpr unsigned kIdWidth = 64;

[[noreturn]] void refuse(std::string_view what, const std::string& rule) {
  throw Error(ErrorCode::layout_invalid, "layout: " + quoted(what) + ": " + rule);
}

// Returns the words, which one blank separates.
std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> words;
  for (;;) {
    const std::size_t blank = text.find(' ');
    words.push_back(text.substr(0, blank));
    if (blank == std::string_view::npos) return words;
    text.remove_prefix(blank + 1);
  }
}

bool is_name(std::string_view name) {
  if (name.empty() || name.size() > kLongestFieldName || name[0] < 'a' || name[0] > 'z') return false;
  return std::all_of(name.begin(), name.end(),
                     [](char c) { return (c >= 'a' && c <= 'z') || ascii::is_digit(c) || c == '_'; });
}

// These would collide with the other arguments of encode().
bool is_reserved(std::string_view name) {
  return name == "tick" || name == "epoch" || name == "time" || name == "time_ms";
}

Field parse_field(std::string_view word) {
  const std::size_t colon = word.find(':');
  const std::string_view name = word.substr(0, colon);
  if (!is_name(name)) refuse(word, "a field is name:width, the name [a-z][a-z0-9_]* of at most 32 characters");
  if (is_reserved(name)) refuse(word, "tick, epoch, time and time_ms cannot name a field");
  const std::string_view digits = colon == std::string_view::npos ? "" : word.substr(colon + 1);
  if (!ascii::is_canonical_decimal(digits) || digits == "0") {
    refuse(word, "a field is name:width, the width 1 or more without leading zeros");
  }
  // A width beyond any id is capped so that sums cannot overflow. The check of the sum refuses it.
  const std::uint64_t width = std::min<std::uint64_t>(ascii::decimal(digits).value_or(UINT64_MAX), 1000);
  return {std::string(name), static_cast<unsigned>(width), 0};
}

std::string_view after(std::string_view word, std::string_view prefix) {
  if (word.substr(0, prefix.size()) != prefix) {
    refuse(word, "after the fields stand tick=... and epoch=..., one blank between all");
  }
  return word.substr(prefix.size());
}

std::int64_t parse_tick_ms(std::string_view text) {
  constexpr const char* kRule = "a tick is e.g. 1ms, 10ms or 7s: at least 1ms, in seconds when it is whole seconds";
  const std::size_t unit = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::string_view digits = text.substr(0, unit);
  const bool in_seconds = text.substr(unit) == "s";
  if (!ascii::is_canonical_decimal(digits) || digits == "0") refuse(text, kRule);
  if (!in_seconds && text.substr(unit) != "ms") refuse(text, kRule);
  const bool whole_seconds = digits.size() > 3 && digits.substr(digits.size() - 3) == "000";
  if (!in_seconds && whole_seconds) refuse(text, kRule);
  // A tick beyond 2^63 ms is capped to one that no layout can hold. The check of the layout's end
  // refuses it.
  const std::uint64_t longest = in_seconds ? INT64_MAX / 1000 : INT64_MAX;
  const std::uint64_t count = ascii::decimal(digits).value_or(UINT64_MAX);
  if (count > longest) return INT64_MAX;
  return static_cast<std::int64_t>(count) * (in_seconds ? 1000 : 1);
}

std::int64_t parse_epoch_ms(std::string_view text) {
  constexpr std::size_t kLength = 24;  // with all three decimals
  const auto unix_ms = parse_utc(text);
  if (text.size() != kLength || !unix_ms) {
    refuse(text, "an epoch is YYYY-MM-DDTHH:MM:SS.mmmZ, a real instant of 1970 or later");
  }
  return *unix_ms;
}

std::string years(double ms) {
  const double tenths = ms / (365.2425 * static_cast<double>(calendar::kMsPerDay)) * 10;
  if (tenths > 1e15) return "longer than the universe";
  const auto rounded = std::llround(tenths);
  return std::to_string(rounded / 10) + "." + std::to_string(rounded % 10) + " years";
}

// Returns the duration of a timestamp, for messages.
std::string span(unsigned width, std::int64_t tick_ms) {
  double ms = static_cast<double>(tick_ms);
  for (unsigned bit = 0; bit < width; ++bit) ms *= 2;
  return std::to_string(width) + " bits of " + std::to_string(tick_ms) + " ms ticks last " + years(ms);
}

const Field& the_one(const std::vector<Field>& fields, std::string_view name) {
  const auto is_it = [&](const Field& field) { return field.name == name; };
  if (std::count_if(fields.begin(), fields.end(), is_it) != 1) {
    refuse(name, "a layout has exactly one field of this name");
  }
  return *std::find_if(fields.begin(), fields.end(), is_it);
}

}  // namespace

Layout Layout::parse(std::string_view text) {
  if (text.size() > kLongestText) refuse(text, "a layout text has at most 1024 characters");
  const std::vector<std::string_view> words = split(text);
  if (words.size() < 3) {
    refuse(text,
           "a layout is its fields, tick=... and epoch=..., e.g. 'timestamp:41 worker:10 sequence:12 "
           "tick=1ms epoch=2020-01-01T00:00:00.000Z'");
  }
  auto content = std::make_shared<Content>();
  content->text = text;
  for (std::size_t i = 0; i + 2 < words.size(); ++i) content->fields.push_back(parse_field(words[i]));
  content->tick_ms = parse_tick_ms(after(words[words.size() - 2], "tick="));
  content->epoch_ms = parse_epoch_ms(after(words.back(), "epoch="));
  place_fields(*content);
  return Layout(std::shared_ptr<const Content>(std::move(content)));
}

void Layout::place_fields(Content& content) {
  content.timestamp = the_one(content.fields, "timestamp");
  for (const Field& field : content.fields) the_one(content.fields, field.name);
  the_one(content.fields, "sequence");

  for (const Field& field : content.fields) content.width += field.width;
  if (content.width > kIdWidth) {
    throw Error(ErrorCode::layout_too_wide, "layout '" + content.text + "' needs " + std::to_string(content.width) +
                                                " bits, an id has 64; and " +
                                                span(content.timestamp.width, content.tick_ms));
  }
  unsigned shift = content.width;
  for (Field& field : content.fields) {
    field.shift = shift -= field.width;
    if (field.name == "timestamp") {
      content.timestamp = field;
      continue;
    }
    if (field.width > kWidestField) refuse(field.name, "sequence and node fields are 1 to 32 bits wide");
    if (field.name == "sequence") {
      content.sequence = field;
    } else {
      content.node_fields.push_back(field);
      content.node_width += field.width;
      content.node_mask |= ones(field.width) << field.shift;
    }
  }
  const auto most_ticks = static_cast<std::uint64_t>((INT64_MAX - content.epoch_ms) / content.tick_ms);
  if (content.timestamp.width > 63 || ones(content.timestamp.width) >= most_ticks) {
    throw Error(ErrorCode::layout_too_wide, "layout '" + content.text + "' ends beyond 2^63 ms after 1970: " +
                                                span(content.timestamp.width, content.tick_ms));
  }
  const bool reaches_sign = content.timestamp.shift + content.timestamp.width == kIdWidth;
  content.end_tick = ones(content.timestamp.width - (reaches_sign ? 1 : 0)) + 1;
}

}  // namespace polyflake
