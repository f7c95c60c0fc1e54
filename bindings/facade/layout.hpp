// Layouts: the meaning of the bits of an id.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <polyflake/layout.hpp>

namespace polyflake::facade {

// Returns the names of the presets, in the order of their table.
std::vector<std::string> preset_names();

class Layout {
 public:
  // Accepts a layout text (it contains ':') or the name of a preset.
  explicit Layout(const std::string& text_or_preset);

  std::string text() const;                      // canonical
  std::vector<std::string> field_names() const;  // all fields, most significant first
  std::vector<int> field_widths() const;         // in bits, same order
  std::vector<std::string> node_fields() const;  // names, most significant first
  std::int64_t tick_ms() const;
  std::int64_t epoch_ms() const;

  // Returns the id. `names` and `values` have equal lengths; node fields not named are 0.
  // Errors: field_out_of_range, unknown_field.
  std::uint64_t encode_tick(std::int64_t tick, std::int64_t sequence, const std::vector<std::string>& names,
                            const std::vector<std::int64_t>& values) const;
  std::uint64_t encode_time(std::int64_t unix_ms, std::int64_t sequence, const std::vector<std::string>& names,
                            const std::vector<std::int64_t>& values) const;
  polyflake::Parts decode(std::uint64_t id) const;
  std::uint64_t first_id(std::int64_t unix_ms) const;
  std::uint64_t last_id(std::int64_t unix_ms) const;

  // Friendly forms: friendly.hpp has the contract. Offsets are in seconds, east positive.
  std::string friendly(std::uint64_t id, std::int64_t utc_offset_seconds) const;
  std::int64_t friendly_local_seconds(const std::string& text) const;
  // utc_offsets: the possible offsets of the text's local time; refused unless there is exactly
  // one.
  std::uint64_t from_friendly(const std::string& text, const std::vector<std::int64_t>& utc_offsets) const;

 private:
  std::uint64_t encode(std::uint64_t tick, std::int64_t sequence, const std::vector<std::string>& names,
                       const std::vector<std::int64_t>& values) const;
  polyflake::Layout layout_;
};

}  // namespace polyflake::facade
