// The text form of a layout: the grammar, and the checks that make a parsed layout usable.
//
//   layout = field { " " field } " tick=" tick " epoch=" instant
//   field  = name ":" width            name = [a-z][a-z0-9_]*, at most 32 characters
//   tick   = number ("ms" | "s")       whole seconds are written in seconds
//   instant = YYYY-MM-DDTHH:MM:SS.mmmZ  1970 or later (RFC 3339, UTC, always three decimals)
//
// Only the canonical spelling is read, so a text equals what text() prints and can be fingerprinted.
#include <polyflake/layout.hpp>

#include <polyflake/error.hpp>

#include <algorithm>
#include <cmath>

#include "base/ascii.hpp"

namespace polyflake {
namespace {

constexpr std::size_t kLongestText = 1024;
constexpr std::size_t kLongestName = 32;
constexpr unsigned kWidestField = 32;  // of sequence and node fields, in bits
constexpr unsigned kIdWidth = 64;
constexpr std::uint64_t kMsPerDay = 86'400'000;

[[noreturn]] void refuse(std::string_view what, const std::string& rule) {
  throw Error(ErrorCode::layout_invalid, "layout: " + quoted(what) + ": " + rule);
}

// Words separated by exactly one blank.
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
  if (name.empty() || name.size() > kLongestName || name[0] < 'a' || name[0] > 'z') return false;
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
  // A width beyond any id is capped so that sums cannot overflow; it is refused by the sum.
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
  // A tick beyond 2^63 ms is capped to what no layout can hold; it is refused by where the layout ends.
  const std::uint64_t longest = in_seconds ? INT64_MAX / 1000 : INT64_MAX;
  const std::uint64_t count = ascii::decimal(digits).value_or(UINT64_MAX);
  if (count > longest) return INT64_MAX;
  return static_cast<std::int64_t>(count) * (in_seconds ? 1000 : 1);
}

bool is_leap(std::uint64_t year) { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }

std::uint64_t days_in(std::uint64_t year, std::uint64_t month) {
  constexpr unsigned kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return month == 2 && is_leap(year) ? 29 : kDays[month - 1];
}

// Days from 1970-01-01 to the first day of this month of the proleptic Gregorian calendar.
std::uint64_t days_before(std::uint64_t year, std::uint64_t month) {
  const std::uint64_t y = year - 1;  // whole years before, counted from year 1
  std::uint64_t days = y * 365 + y / 4 - y / 100 + y / 400 - 719'162;
  for (std::uint64_t m = 1; m < month; ++m) days += days_in(year, m);
  return days;
}

std::int64_t parse_epoch_ms(std::string_view text) {
  constexpr std::string_view kShape = "dddd-dd-ddTdd:dd:dd.dddZ";
  constexpr const char* kRule = "an epoch is YYYY-MM-DDTHH:MM:SS.mmmZ, a real instant of 1970 or later";
  if (text.size() != kShape.size()) refuse(text, kRule);
  for (std::size_t i = 0; i < kShape.size(); ++i) {
    if (kShape[i] == 'd' ? !ascii::is_digit(text[i]) : text[i] != kShape[i]) refuse(text, kRule);
  }
  const auto number = [&](std::size_t from, std::size_t count) {
    std::uint64_t value = 0;
    for (const char c : text.substr(from, count)) value = value * 10 + static_cast<std::uint64_t>(c - '0');
    return value;
  };
  const std::uint64_t year = number(0, 4), month = number(5, 2), day = number(8, 2);
  const std::uint64_t hour = number(11, 2), minute = number(14, 2), second = number(17, 2);
  const bool real = year >= 1970 && month >= 1 && month <= 12 && day >= 1 && day <= days_in(year, month) && hour < 24 &&
                    minute < 60 && second < 60;
  if (!real) refuse(text, kRule);
  const std::uint64_t days = days_before(year, month) + (day - 1);
  return static_cast<std::int64_t>(days * kMsPerDay + ((hour * 60 + minute) * 60 + second) * 1000 + number(20, 3));
}

std::string years(double ms) {
  const double tenths = ms / (365.2425 * static_cast<double>(kMsPerDay)) * 10;
  if (tenths > 1e15) return "longer than the universe";
  const auto rounded = std::llround(tenths);
  return std::to_string(rounded / 10) + "." + std::to_string(rounded % 10) + " years";
}

// How long a timestamp lasts, for messages.
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
