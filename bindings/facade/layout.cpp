#include "facade/layout.hpp"

#include <polyflake/error.hpp>
#include <polyflake/friendly.hpp>

namespace polyflake::facade {
namespace {

std::uint64_t non_negative(const char* field, std::int64_t value) {
  if (value >= 0) return static_cast<std::uint64_t>(value);
  throw Error(ErrorCode::field_out_of_range, "field '" + std::string(field) + "' cannot hold " + std::to_string(value));
}

}  // namespace

Layout::Layout(const std::string& text_or_preset) : layout_(text_or_preset) {}

std::string Layout::text() const { return layout_.text(); }

std::vector<std::string> Layout::field_names() const {
  std::vector<std::string> names;
  for (const Field& field : layout_.fields()) names.push_back(field.name);
  return names;
}

std::vector<int> Layout::field_widths() const {
  std::vector<int> widths;
  for (const Field& field : layout_.fields()) widths.push_back(static_cast<int>(field.width));
  return widths;
}

std::vector<std::string> Layout::node_fields() const {
  std::vector<std::string> names;
  for (const Field& field : layout_.node_fields()) names.push_back(field.name);
  return names;
}

std::int64_t Layout::tick_ms() const { return layout_.tick_ms(); }

std::int64_t Layout::epoch_ms() const { return layout_.epoch_ms(); }

std::uint64_t Layout::encode(std::uint64_t tick, std::int64_t sequence, const std::vector<std::string>& names,
                             const std::vector<std::int64_t>& values) const {
  std::uint64_t node = 0;
  for (std::size_t i = 0; i < names.size(); ++i) node |= layout_.node_with(names[i], values.at(i));
  return layout_.pack(tick, node, non_negative("sequence", sequence));
}

std::uint64_t Layout::encode_tick(std::int64_t tick, std::int64_t sequence, const std::vector<std::string>& names,
                                  const std::vector<std::int64_t>& values) const {
  return encode(non_negative("timestamp", tick), sequence, names, values);
}

std::uint64_t Layout::encode_time(std::int64_t unix_ms, std::int64_t sequence, const std::vector<std::string>& names,
                                  const std::vector<std::int64_t>& values) const {
  return encode(layout_.tick_at(unix_ms), sequence, names, values);
}

polyflake::Parts Layout::decode(std::uint64_t id) const { return layout_.unpack(id); }

std::uint64_t Layout::first_id(std::int64_t unix_ms) const { return layout_.first_id(unix_ms); }

std::uint64_t Layout::last_id(std::int64_t unix_ms) const { return layout_.last_id(unix_ms); }

std::string Layout::friendly(std::uint64_t id, std::int64_t utc_offset_seconds) const {
  return polyflake::friendly(layout_, id, utc_offset_seconds);
}

std::int64_t Layout::friendly_local_seconds(const std::string& text) const {
  return polyflake::friendly_local_seconds(layout_, text);
}

std::uint64_t Layout::from_friendly(const std::string& text, const std::vector<std::int64_t>& utc_offsets) const {
  return from_friendly_of_zone(layout_, text, utc_offsets);
}

std::vector<std::string> preset_names() { return polyflake::Layout::preset_names(); }

}  // namespace polyflake::facade
