#include "description.hpp"

#include <polyflake/friendly.hpp>
#include <polyflake/text.hpp>

#include <algorithm>
#include <utility>

#include "guess.hpp"
#include "json.hpp"

namespace polyflake::cli {
namespace {

constexpr std::size_t kLabel = 15;  // the longest name of a codec, and a blank or two

std::size_t index_of(const Layout& layout, const std::string& field) {
  std::size_t index = 0;
  while (layout.fields()[index].name != field) ++index;
  return index;
}

}  // namespace

std::optional<std::string> preset_of(std::uint64_t fingerprint) {
  for (const std::string& preset : Layout::preset_names()) {
    if (Layout::preset(preset).fingerprint() == fingerprint) return preset;
  }
  return std::nullopt;
}

std::string labelled(std::string_view name, const Style& style) {
  std::string text = style.dim(name);
  text.append(name.size() < kLabel ? kLabel - name.size() : 1, ' ');
  return text;
}

Description::Description(std::string name, const Layout& layout) : name_(std::move(name)), layout_(layout) {
  for (const std::string& codec : codec_names()) codecs_.push_back(Codec::named(codec));
}

void Description::append_json(std::string& text, std::uint64_t id, std::int64_t now_ms) {
  const Parts parts = layout_.unpack(id);
  char digits[Codec::kLongest];
  const auto decimal = [&digits](std::uint64_t value) {
    return std::string_view(digits, write_decimal(value, digits));
  };
  JsonObject json(text);
  json.text("id", decimal(id));
  json.text("layout", name_);
  json.open("time");
  text += '"';
  append_utc(text, parts.time_ms);
  text += '"';
  json.number("time_ms", parts.time_ms);
  json.open("local_time");
  text += '"';
  local_.append(text, parts.time_ms);
  text += '"';
  json.number("age_ms", now_ms - parts.time_ms);
  json.text("tick", decimal(parts.tick));
  json.text("node", decimal(parts.node));
  json.number("sequence", parts.sequence);
  json.open("fields");
  JsonObject fields(text);
  for (std::size_t i = 0; i < parts.fields.size(); ++i) fields.number(layout_.node_fields()[i].name, parts.fields[i]);
  fields.end();
  json.text("friendly", friendly(layout_, id));
  json.open("codecs");
  JsonObject codecs(text);
  for (const Codec& codec : codecs_) {
    codecs.text(codec.name(), std::string_view(digits, codec.encode(id, digits)));
  }
  codecs.end();
  if (const auto doubt = doubt_of(layout_, id, parts, now_ms)) {
    json.boolean("plausible", false);
    if (doubt->likely) json.text("likely", doubt->likely->preset);
  }
  json.end_line();
}

void Description::append_text(std::string& text, std::uint64_t id, std::int64_t now_ms, const Style& style) {
  const Parts parts = layout_.unpack(id);
  const auto begin = [&](std::string_view name) { text += labelled(name, style); };
  const auto line = [&](std::string_view name, const std::string& value) {
    begin(name);
    text += value + '\n';
  };
  const auto doubt = doubt_of(layout_, id, parts, now_ms);
  if (doubt) {
    const std::string likely =
        doubt->likely ? "more likely " + named_reading(*doubt->likely, now_ms) : "and no preset gives a plausible time";
    line("implausible", style.bold("as an id of " + name_ + " " + doubt->reason + "; " + likely));
  }
  begin("id");
  text += (doubt ? to_text(id) : style.bold(to_text(id))) + '\n';
  line("layout", name_);
  begin("time");
  append_utc(text, parts.time_ms);
  text += '\n';
  begin("local time");
  local_.append(text, parts.time_ms);
  const std::string zone = LocalTime::zone_name(parts.time_ms);
  text += (zone.empty() ? "" : " " + zone) + '\n';
  line("age", relative(parts.time_ms, now_ms));
  line("tick", style.field(index_of(layout_, "timestamp"), std::to_string(parts.tick)));
  if (parts.fields.size() != 1) line("node", std::to_string(parts.node));
  for (std::size_t i = 0; i < parts.fields.size(); ++i) {
    const std::string& field = layout_.node_fields()[i].name;
    line(field, style.field(index_of(layout_, field), std::to_string(parts.fields[i])));
  }
  line("sequence", style.field(index_of(layout_, "sequence"), std::to_string(parts.sequence)));
  line("friendly", friendly(layout_, id));
  for (const Codec& codec : codecs_) line(codec.name(), codec.encode(id));
  append_bits(text, {id}, style);
}

void Description::append_bits(std::string& text, std::initializer_list<std::uint64_t> ids, const Style& style) const {
  struct Group {
    unsigned shift, width;
    std::string name;
  };
  std::vector<Group> groups;
  const Field& top = layout_.fields().front();
  if (const unsigned used = top.shift + top.width; used < 64) groups.push_back({used, 64 - used, ""});
  const std::size_t first_field = groups.size();
  for (const Field& field : layout_.fields()) {
    groups.push_back({field.shift, field.width, field.name + ":" + std::to_string(field.width)});
  }
  const auto append_line = [&](auto&& text_of) {
    std::string gap;
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const std::string part = text_of(groups[i]);
      text += gap + (part.empty() ? "" : i < first_field ? style.dim(part) : style.field(i - first_field, part));
      gap = std::string(std::max<std::size_t>(groups[i].width, groups[i].name.size()) + 1 - part.size(), ' ');
    }
    text += '\n';
  };
  for (const std::uint64_t id : ids) {
    append_line([id](const Group& group) {
      std::string digits;
      for (unsigned bit = group.width; bit-- > 0;) digits += (id >> (group.shift + bit) & 1) != 0 ? '1' : '0';
      return digits;
    });
  }
  append_line([](const Group& group) { return group.name; });
}

}  // namespace polyflake::cli
