// Layouts: the meaning of the bits of a 64-bit id.
//
//   polyflake (the default), most significant bit first:
//
//    63 62                                        22 21        12 11          0
//   +--+--------------------------------------------+------------+-------------+
//   |0 | timestamp: 41 bits, ticks of 1 ms          | worker: 10 | sequence: 12|
//   +--+--------------------------------------------+------------+-------------+
//
// A layout has one `timestamp`, one `sequence` and any number of node fields, in any order; unused
// bits of the 64 are zero, at the top. Pure functions: no clock, no state. A Layout is immutable
// and cheap to copy; threads may share it. The normative text is docs/bit-layout.md.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polyflake {

struct Uuid;

struct Field {
  std::string name;
  unsigned width;  // bits
  unsigned shift;  // position of the least significant bit
};

// The fields of an id.
struct Parts {
  std::int64_t time_ms;  // Unix ms of the beginning of the tick
  std::uint64_t tick;    // since the layout's epoch
  std::uint64_t node;    // the node fields read as one number, most significant field first
  std::uint32_t sequence;
  std::vector<std::uint32_t> fields;  // the node fields one by one, in the order of node_fields()
};

class Layout {
 public:
  // Accepts a layout text (it contains ':') or the name of a preset. Errors: those of parse() and
  // preset().
  Layout(std::string_view text_or_preset);  // NOLINT: a layout is what its text says
  Layout(const char* text_or_preset)        // NOLINT
      : Layout(std::string_view(text_or_preset == nullptr ? "" : text_or_preset)) {}
  Layout(const std::string& text_or_preset) : Layout(std::string_view(text_or_preset)) {}  // NOLINT

  // Errors: unknown_preset.
  static Layout preset(std::string_view name);

  // Reads the canonical text form, at most 1024 characters:
  //   timestamp:41 worker:10 sequence:12 tick=1ms epoch=2020-01-01T00:00:00.000Z
  // Errors: layout_invalid (also for any spelling but the canonical one), layout_too_wide.
  static Layout parse(std::string_view text);

  // Returns the names of all presets, in the order of their table.
  static std::vector<std::string> preset_names();

  // Canonical: equal texts, equal layouts.
  const std::string& text() const { return content_->text; }
  // All fields, most significant first.
  const std::vector<Field>& fields() const { return content_->fields; }
  const std::vector<Field>& node_fields() const { return content_->node_fields; }
  const Field& timestamp() const { return content_->timestamp; }
  const Field& sequence() const { return content_->sequence; }
  std::int64_t tick_ms() const { return content_->tick_ms; }
  std::int64_t epoch_ms() const { return content_->epoch_ms; }
  unsigned node_width() const { return content_->node_width; }  // bits; 0 without node fields

  // Returns the tick after the last one that a generator may stamp: the timestamp ends there, or
  // ids would reach 2^63 (generated ids fit a signed 64-bit integer).
  std::uint64_t end_tick() const { return content_->end_tick; }

  // Returns the id of these values. Errors: field_out_of_range; nothing is ever masked.
  std::uint64_t pack(std::uint64_t tick, std::uint64_t node, std::uint64_t sequence) const;
  std::uint64_t pack(const Parts& parts) const { return pack(parts.tick, parts.node, parts.sequence); }

  // Returns the fields of any 64-bit value; bits above the layout must be zero. Errors:
  // id_out_of_range.
  Parts unpack(std::uint64_t id) const;

  // Returns the smallest (first_id) or largest id of this instant's tick. They bound queries by
  // time only if the timestamp is the first field. Errors: as tick_at().
  std::uint64_t first_id(std::int64_t unix_ms) const;
  std::uint64_t last_id(std::int64_t unix_ms) const;

  // Returns the tick of this instant. Errors: field_out_of_range outside the layout's time span.
  std::uint64_t tick_at(std::int64_t unix_ms) const;

  // Returns the Unix ms at which a tick begins; tick <= 2^timestamp_bits.
  std::int64_t time_of(std::uint64_t tick) const {
    return content_->epoch_ms + static_cast<std::int64_t>(tick) * content_->tick_ms;
  }

  // Returns the id as a UUID of version 7 with a zero tail; they sort alike. Needs a layout with
  // ticks of 1 ms that ends before the year 10889. Errors: layout_invalid (another tick or span),
  // id_out_of_range.
  Uuid to_uuid(std::uint64_t id) const;
  // Returns the id of such a UUID. Errors: layout_invalid, id_out_of_range (it contains more, or
  // has another version), field_out_of_range (its time).
  std::uint64_t from_uuid(const Uuid& uuid) const;

  // Returns the node id with this value in the named field and zeros elsewhere. To set several
  // fields, add the results. Errors: unknown_field, field_out_of_range.
  std::uint64_t node_with(std::string_view name, std::int64_t value) const;

  // Returns this node id shifted to its bits in an id. Errors: field_out_of_range.
  std::uint64_t node_bits(std::uint64_t node) const;

  // Returns the largest node id for which generated ids stay below 2^63.
  std::uint64_t largest_node() const;

  // Returns the mask of all node fields within an id.
  std::uint64_t node_mask() const { return content_->node_mask; }

  // Returns FNV-1a (64 bits) of text(): names the layout in a registry.
  std::uint64_t fingerprint() const;

  friend bool operator==(const Layout& a, const Layout& b) { return a.text() == b.text(); }
  friend bool operator!=(const Layout& a, const Layout& b) { return a.text() != b.text(); }

 private:
  struct Content {
    std::string text;
    std::vector<Field> fields;
    std::vector<Field> node_fields;
    Field timestamp{};
    Field sequence{};
    std::int64_t tick_ms = 1;
    std::int64_t epoch_ms = 0;
    unsigned width = 0;
    unsigned node_width = 0;
    std::uint64_t node_mask = 0;
    std::uint64_t end_tick = 0;
  };
  explicit Layout(std::shared_ptr<const Content> content) : content_(std::move(content)) {}
  // Computes shifts, masks and limits; checks the layout as a whole.
  static void place_fields(Content& content);

  std::shared_ptr<const Content> content_;  // shared by copies, never null
};

// Returns 2^width - 1 for width 0 to 64.
constexpr std::uint64_t ones(unsigned width) {
  return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}

}  // namespace polyflake
