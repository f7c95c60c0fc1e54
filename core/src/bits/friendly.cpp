#include <polyflake/friendly.hpp>

#include <algorithm>

#include "base/ascii.hpp"
#include "base/text_refusal.hpp"
#include "bits/calendar.hpp"
#include "bits/span.hpp"

namespace polyflake {
namespace {

constexpr std::size_t kTimeDigits = 17;    // yyyyMMddHHmmssSSS
constexpr std::size_t kAfterTheYear = 13;  // MMddHHmmssSSS
constexpr std::size_t kLongestYear = 9;    // of 2^63 ms

// A moment as local clocks with some offset show it.
struct LocalTime {
  std::int64_t days;  // since 1970-01-01
  std::int64_t ms;    // of the day
};

// The digits between two '-', and the position of the first.
struct Piece {
  std::size_t position;
  std::string_view digits;
};

LocalTime normal(std::int64_t days, std::int64_t ms) {
  if (ms < 0) return {days - 1, ms + calendar::kMsPerDay};
  if (ms >= calendar::kMsPerDay) return {days + 1, ms - calendar::kMsPerDay};
  return {days, ms};
}

std::int64_t checked_ms(std::int64_t utc_offset_seconds) {
  if (utc_offset_seconds < -kLargestUtcOffset || utc_offset_seconds > kLargestUtcOffset) {
    throw Error(ErrorCode::option_invalid,
                "an offset from UTC is -64800 to 64800 seconds (18 hours), not " + std::to_string(utc_offset_seconds));
  }
  return utc_offset_seconds * 1000;
}

std::string padded(std::int64_t value, std::size_t width) {
  const std::string digits = std::to_string(value);
  return std::string(width - std::min(width, digits.size()), '0') + digits;
}

std::string time_text(const LocalTime& local) {
  const calendar::Date date = calendar::date_of(local.days);
  return padded(date.year, 4) + padded(date.month, 2) + padded(date.day, 2) + padded(local.ms / 3'600'000, 2) +
         padded(local.ms / 60'000 % 60, 2) + padded(local.ms / 1000 % 60, 2) + padded(local.ms % 1000, 3);
}

class Text {
 public:
  // Errors: text_invalid if the text does not have the shape of the layout's friendly form.
  Text(const Layout& layout, std::string_view text) : layout_(layout), text_(text), refusal_("friendly", text) {
    const std::size_t pieces = layout.node_fields().size() + 2;
    std::size_t at = 0;
    for (std::size_t i = 0; i < pieces; ++i) {
      if (i > 0) {
        if (at == text.size() || text[at] != '-') refusal_.at(at, shape());
        ++at;
      }
      at = add_piece(at, i == 0 ? kTimeDigits : 1);
    }
    if (at != text.size()) refusal_.at(at, shape());
  }

  // Errors: text_invalid, field_out_of_range.
  LocalTime local() const {
    const std::string_view time = pieces_[0].digits;
    const std::size_t year_digits = time.size() - kAfterTheYear;
    std::size_t at = year_digits;
    const auto next = [&](std::size_t width, std::int64_t least, std::int64_t most, const char* what) {
      const auto value = static_cast<std::int64_t>(number(time.substr(at, width)));
      if (value < least || value > most) refusal_.at(at, std::string("there is no such ") + what);
      at += width;
      return value;
    };
    if (year_digits > kLongestYear) refuse_time();
    const auto year = static_cast<std::int64_t>(number(time.substr(0, year_digits)));
    const std::int64_t month = next(2, 1, 12, "month");
    const std::int64_t day = next(2, 1, calendar::days_in(year, month), "day of the month");
    const std::int64_t hour = next(2, 0, 23, "hour");
    const std::int64_t minute = next(2, 0, 59, "minute");
    const std::int64_t second = next(2, 0, 59, "second");
    const std::int64_t ms = next(3, 0, 999, "millisecond");
    return {calendar::days_before(year, month) + day - 1, ((hour * 60 + minute) * 60 + second) * 1000 + ms};
  }

  // Errors: text_invalid, field_out_of_range.
  std::int64_t local_seconds() const {
    const LocalTime here = local();
    if (here.days < -1) refuse_time();
    return here.days * (calendar::kMsPerDay / 1000) + here.ms / 1000;
  }

  // Errors: text_invalid, field_out_of_range.
  std::uint64_t id(std::int64_t offset_ms) const {
    const std::uint64_t tick = tick_at(offset_ms);
    std::uint64_t node = 0;
    for (std::size_t i = 0; i < layout_.node_fields().size(); ++i) {
      const Field& field = layout_.node_fields()[i];
      node = node << field.width | value(pieces_[i + 1], field);
    }
    return layout_.pack(tick, node, value(pieces_.back(), layout_.sequence()));
  }

  const TextRefusal& refusal() const { return refusal_; }

 private:
  static std::uint64_t number(std::string_view digits) {
    std::uint64_t value = 0;
    for (const char c : digits) value = value * 10 + static_cast<std::uint64_t>(c - '0');
    return value;
  }

  std::string shape() const {
    std::string shape = "the form is yyyyMMddHHmmssSSS";
    for (const Field& field : layout_.node_fields()) shape += "-" + field.name;
    return shape + "-sequence, decimal without leading zeros";
  }

  std::size_t add_piece(std::size_t from, std::size_t least) {
    std::size_t end = from;
    while (end < text_.size() && ascii::is_digit(text_[end])) ++end;
    if (end - from < least) refusal_.at(end, shape());
    if (end - from > least && text_[from] == '0') refusal_.at(from, shape());
    pieces_.push_back({from, text_.substr(from, end - from)});
    return end;
  }

  [[noreturn]] void refuse_time() const {
    refusal_.at(0, "the time " + outside_the_span(layout_), ErrorCode::field_out_of_range);
  }

  std::uint64_t tick_at(std::int64_t offset_ms) const {
    const LocalTime here = local();
    const LocalTime utc = normal(here.days, here.ms - offset_ms);
    if (utc.days < 0 || utc.days > INT64_MAX / calendar::kMsPerDay) refuse_time();
    const std::uint64_t unix_ms =
        static_cast<std::uint64_t>(utc.days) * calendar::kMsPerDay + static_cast<std::uint64_t>(utc.ms);
    if (unix_ms < static_cast<std::uint64_t>(layout_.epoch_ms()) ||
        unix_ms > static_cast<std::uint64_t>(last_ms(layout_))) {
      refuse_time();
    }
    const std::uint64_t tick = layout_.tick_at(static_cast<std::int64_t>(unix_ms));
    if (layout_.time_of(tick) != static_cast<std::int64_t>(unix_ms)) refuse_within_tick(tick, offset_ms);
    return tick;
  }

  [[noreturn]] void refuse_within_tick(std::uint64_t tick, std::int64_t offset_ms) const {
    const std::int64_t begin = layout_.time_of(tick);
    const std::string due = time_text(normal(begin / calendar::kMsPerDay, begin % calendar::kMsPerDay + offset_ms));
    const std::string_view time = pieces_[0].digits;
    const auto at = std::mismatch(due.begin(), due.end(), time.begin(), time.end()).first - due.begin();
    refusal_.at(static_cast<std::size_t>(at),
                "a tick of " + std::to_string(layout_.tick_ms()) + " ms begins at " + due);
  }

  std::uint64_t value(const Piece& piece, const Field& field) const {
    const auto value = ascii::decimal(piece.digits);
    if (!value || *value > ones(field.width)) {
      refusal_.at(piece.position, "field '" + field.name + "' may be 0 to " + std::to_string(ones(field.width)),
                  ErrorCode::field_out_of_range);
    }
    return *value;
  }

  const Layout& layout_;
  std::string_view text_;
  TextRefusal refusal_;
  std::vector<Piece> pieces_;
};

}  // namespace

std::string friendly(const Layout& layout, std::uint64_t id, std::int64_t utc_offset_seconds) {
  const std::int64_t offset_ms = checked_ms(utc_offset_seconds);
  const Parts parts = layout.unpack(id);
  // Adds days and ms apart, since the sum of a time and an offset may pass 2^63 ms.
  std::string text =
      time_text(normal(parts.time_ms / calendar::kMsPerDay, parts.time_ms % calendar::kMsPerDay + offset_ms));
  for (const std::uint32_t field : parts.fields) text += "-" + std::to_string(field);
  return text + "-" + std::to_string(parts.sequence);
}

std::uint64_t from_friendly(const Layout& layout, std::string_view text, std::int64_t utc_offset_seconds) {
  return from_friendly_of_zone(layout, text, {utc_offset_seconds});
}

std::int64_t friendly_local_seconds(const Layout& layout, std::string_view text) {
  return Text(layout, text).local_seconds();
}

std::uint64_t from_friendly_of_zone(const Layout& layout, std::string_view text,
                                    const std::vector<std::int64_t>& utc_offsets) {
  for (const std::int64_t offset : utc_offsets) checked_ms(offset);
  const Text read(layout, text);
  read.local();  // reports a wrong date before the zone is applied
  if (utc_offsets.empty()) read.refusal().at(0, "the zone's clocks skip this time");
  if (utc_offsets.size() > 1) {
    std::string offsets;
    for (const std::int64_t offset : utc_offsets) offsets += (offsets.empty() ? "" : ", ") + std::to_string(offset);
    read.refusal().at(
        0, "the zone has this time twice, at offsets of " + offsets + " s from UTC: say which by the offset");
  }
  return read.id(checked_ms(utc_offsets.front()));
}

}  // namespace polyflake
