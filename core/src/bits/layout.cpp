#include <polyflake/layout.hpp>

#include <polyflake/error.hpp>

#include "base/hash.hpp"
#include "bits/span.hpp"

namespace polyflake {
namespace {

struct Preset {
  const char* name;
  const char* text;
};

// The only table of presets; their sources are in docs/bit-layout.md.
constexpr Preset kPresets[] = {
    {"polyflake", "timestamp:41 worker:10 sequence:12 tick=1ms epoch=2020-01-01T00:00:00.000Z"},
    {"twitter", "timestamp:41 datacenter:5 worker:5 sequence:12 tick=1ms epoch=2010-11-04T01:42:54.657Z"},
    {"leaf", "timestamp:41 worker:10 sequence:12 tick=1ms epoch=2010-11-04T01:42:54.657Z"},
    {"shardingsphere", "timestamp:41 worker:10 sequence:12 tick=1ms epoch=2016-10-31T16:00:00.000Z"},
    {"beyondfengyu", "timestamp:41 datacenter:5 machine:5 sequence:12 tick=1ms epoch=2016-11-26T13:21:05.631Z"},
    {"discord", "timestamp:42 worker:5 process:5 sequence:12 tick=1ms epoch=2015-01-01T00:00:00.000Z"},
    {"instagram", "timestamp:41 shard:13 sequence:10 tick=1ms epoch=2011-08-24T21:07:01.721Z"},
    {"mastodon", "timestamp:48 sequence:16 tick=1ms epoch=1970-01-01T00:00:00.000Z"},
    {"sonyflake", "timestamp:39 sequence:8 machine:16 tick=10ms epoch=2025-01-01T00:00:00.000Z"},
    {"baidu", "timestamp:28 worker:22 sequence:13 tick=1s epoch=2016-05-19T16:00:00.000Z"},
    {"tsid", "timestamp:42 node:10 sequence:12 tick=1ms epoch=2020-01-01T00:00:00.000Z"},
    {"yitter", "timestamp:51 worker:6 sequence:6 tick=1ms epoch=2020-02-19T18:20:02.000Z"},
    {"cosid", "timestamp:41 machine:10 sequence:12 tick=1ms epoch=2019-12-24T16:00:00.000Z"},
    {"game", "timestamp:31 server:20 sequence:12 tick=1s epoch=2020-01-01T00:00:00.000Z"},
    {"js53", "timestamp:41 worker:5 sequence:7 tick=1ms epoch=2020-01-01T00:00:00.000Z"},
};

std::string in_range(std::uint64_t largest) { return "; it may be 0 to " + std::to_string(largest); }

[[noreturn]] void refuse_field(std::string_view field, const std::string& value, std::uint64_t largest) {
  throw Error(ErrorCode::field_out_of_range,
              "field '" + std::string(field) + "' cannot hold " + value + in_range(largest));
}

void check_field(const Field& field, std::uint64_t value) {
  if (value > ones(field.width)) refuse_field(field.name, std::to_string(value), ones(field.width));
}

std::uint64_t value_of(const Field& field, std::uint64_t id) { return id >> field.shift & ones(field.width); }

}  // namespace

Layout::Layout(std::string_view text_or_preset)
    : Layout(text_or_preset.find(':') == std::string_view::npos ? preset(text_or_preset) : parse(text_or_preset)) {}

Layout Layout::preset(std::string_view name) {
  for (const Preset& preset : kPresets) {
    if (name == preset.name) return parse(preset.text);
  }
  std::string known;
  for (const Preset& preset : kPresets) known += std::string(known.empty() ? "" : ", ") + preset.name;
  throw Error(ErrorCode::unknown_preset, "unknown layout " + quoted(name) + ": use a preset (" + known +
                                             ") or a layout text such as 'timestamp:41 worker:10 sequence:12 tick=1ms "
                                             "epoch=2020-01-01T00:00:00.000Z'");
}

std::vector<std::string> Layout::preset_names() {
  std::vector<std::string> names;
  for (const Preset& preset : kPresets) names.emplace_back(preset.name);
  return names;
}

std::uint64_t Layout::pack(std::uint64_t tick, std::uint64_t node, std::uint64_t sequence) const {
  const Field& sequence_field = content_->sequence;
  check_field(timestamp(), tick);
  check_field(sequence_field, sequence);
  return tick << timestamp().shift | node_bits(node) | sequence << sequence_field.shift;
}

Parts Layout::unpack(std::uint64_t id) const {
  if (id > ones(content_->width)) {
    throw Error(ErrorCode::id_out_of_range, "id " + std::to_string(id) + " has bits above the " +
                                                std::to_string(content_->width) + " of layout '" + text() +
                                                "'; it belongs to another layout");
  }
  Parts parts{};
  parts.tick = value_of(timestamp(), id);
  parts.time_ms = time_of(parts.tick);
  parts.sequence = static_cast<std::uint32_t>(value_of(sequence(), id));
  parts.fields.reserve(node_fields().size());
  for (const Field& field : node_fields()) {
    const std::uint64_t value = value_of(field, id);
    parts.node = parts.node << field.width | value;
    parts.fields.push_back(static_cast<std::uint32_t>(value));
  }
  return parts;
}

std::uint64_t Layout::first_id(std::int64_t unix_ms) const { return tick_at(unix_ms) << timestamp().shift; }

std::uint64_t Layout::last_id(std::int64_t unix_ms) const {
  return first_id(unix_ms) | node_mask() | ones(sequence().width) << sequence().shift;
}

std::uint64_t Layout::tick_at(std::int64_t unix_ms) const {
  if (unix_ms < epoch_ms() || unix_ms > last_ms(*this)) {
    throw Error(ErrorCode::field_out_of_range, "time " + std::to_string(unix_ms) + " ms " + outside_the_span(*this));
  }
  return static_cast<std::uint64_t>((unix_ms - epoch_ms()) / tick_ms());
}

std::uint64_t Layout::node_with(std::string_view name, std::int64_t value) const {
  unsigned below = node_width();
  for (const Field& field : node_fields()) {
    below -= field.width;
    if (field.name != name) continue;
    if (value < 0) refuse_field(name, std::to_string(value), ones(field.width));
    check_field(field, static_cast<std::uint64_t>(value));
    return static_cast<std::uint64_t>(value) << below;
  }
  std::string known;
  for (const Field& field : node_fields()) known += (known.empty() ? "" : ", ") + field.name;
  throw Error(ErrorCode::unknown_field, "layout '" + text() + "' has no node field " + quoted(name) +
                                            "; it has: " + (known.empty() ? "none" : known));
}

std::uint64_t Layout::node_bits(std::uint64_t node) const {
  if (node > ones(node_width())) {
    refuse_field(node_fields().size() == 1 ? node_fields()[0].name : "node id", std::to_string(node),
                 ones(node_width()));
  }
  std::uint64_t bits = 0;
  for (auto field = node_fields().rbegin(); field != node_fields().rend(); ++field) {
    bits |= (node & ones(field->width)) << field->shift;
    node >>= field->width;
  }
  return bits;
}

std::uint64_t Layout::largest_node() const {
  // If a node field contains the sign bit of the id, it is the most significant field, so that bit
  // is the top bit of the node id too.
  const bool has_sign = (node_mask() >> 63) != 0;
  return ones(node_width() - (has_sign ? 1 : 0));
}

std::uint64_t Layout::fingerprint() const { return fnv1a(text()); }

}  // namespace polyflake
