#include "configuration/section.hpp"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

namespace polyflake::server {
namespace {

// The sections of each kind of file: that of the configuration is "".
constexpr struct {
  std::string_view file;
  std::string_view name;
} kSections[] = {{"", "generator"}, {"", "counter"}, {"", "listener"}, {kFileOfTokens, "token"}};

bool has_section(std::string_view file, std::string_view name) {
  return std::any_of(std::begin(kSections), std::end(kSections),
                     [&](const auto& one) { return file == one.file && name == one.name; });
}

const Key* key_of(std::string_view section, std::string_view name) {
  const auto* const found = std::find_if(std::begin(kKeys), std::end(kKeys),
                                         [&](const Key& key) { return section == key.section && name == key.name; });
  return found == std::end(kKeys) ? nullptr : found;
}

std::vector<std::string> names_in(std::string_view section) {
  std::vector<std::string> names;
  for (const Key& key : kKeys) {
    if (section == key.section) names.emplace_back(key.name);
  }
  for (const auto& one : kSections) {
    if (section == one.file) names.emplace_back(one.name);
  }
  return names;
}

// Returns the section that has this key, as people write it; "" if there is none.
std::string section_with(std::string_view name) {
  for (const Key& key : kKeys) {
    const std::string section = key.section;
    if (name != key.name) continue;
    if (section.empty()) return "the top of the file, before all sections";
    if (section == "token") return "[token.NAME] of the file of tokens";
    return section == "listener" ? "[[listener]]" : "[" + section + ".NAME]";
  }
  return "";
}

bool has_type(const toml::node& value, Key::Type type) {
  switch (type) {
    case Key::Type::integer: return value.is_integer();
    case Key::Type::flag: return value.is_boolean();
    case Key::Type::text: return value.is_string();
    case Key::Type::worker: return value.is_integer() || value.is_string() || value.is_table();
  }
  return false;
}

std::string shown_range(const Key& key) {
  const std::string least = std::to_string(key.least);
  return key.greatest == INT64_MAX ? least + " or more" : least + " to " + std::to_string(key.greatest);
}

std::string needed_type(const Key& key) {
  switch (key.type) {
    case Key::Type::integer: return "a whole number, " + shown_range(key) + ",";
    case Key::Type::flag: return "true or false, without quotes,";
    case Key::Type::text: return "a text in quotes";
    case Key::Type::worker: return std::string(key.value) + ",";
  }
  return "";
}

}  // namespace

void refuse_line(const std::string& file, const toml::source_region& place, const std::string& message) {
  // A table that a name with dots made has no place of its own.
  const auto line = std::max<toml::source_index>(place.begin.line, 1);
  throw ConfigurationError(file + ":" + std::to_string(line) + ": " + message);
}

const char* shown_type(const toml::node& value) {
  switch (value.type()) {
    case toml::node_type::table: return "a table";
    case toml::node_type::array: return "an array";
    case toml::node_type::string: return "a text";
    case toml::node_type::integer: return "a whole number";
    case toml::node_type::floating_point: return "a fraction";
    case toml::node_type::boolean: return "true or false";
    default: return "a date or time";
  }
}

Section::Section(const toml::table& table, const char* kind, std::string shown, const std::string& file)
    : table_(table), kind_(kind), shown_(std::move(shown)), file_(file) {
  check_keys();
}

void Section::check_keys() const {
  for (const auto& [name, value] : table_) {
    if (has_section(kind_, name.str())) continue;
    const Key* const key = key_of(kind_, name.str());
    if (key == nullptr) refuse_unknown(name);
    check_type(*key, value);
  }
}

void Section::check_type(const Key& key, const toml::node& value) const {
  if (has_type(value, key.type)) return;
  refuse(key.name, needed_type(key) + " is needed, not " + shown_type(value));
}

void Section::refuse_unknown(const toml::key& key) const {
  const std::string there = shown_.empty() ? "the top of the file" : shown_;
  const std::string elsewhere = section_with(key.str());
  std::string advice;
  if (!elsewhere.empty()) {
    advice = "; it belongs to " + elsewhere;
  } else {
    for (const std::string& name : names_in(kind_)) advice += (advice.empty() ? "; there are " : ", ") + name;
  }
  refuse_line(file_, key.source(), there + " has no key " + polyflake::quoted(key.str()) + advice);
}

std::string Section::shown_key(std::string_view key) const {
  return std::string(key) + (shown_.empty() ? "" : " of " + shown_);
}

void Section::refuse(std::string_view key, const std::string& message) const {
  const toml::node* const value = find(key);
  refuse_line(file_, value == nullptr ? table_.source() : value->source(), shown_key(key) + ": " + message);
}

void Section::refuse_missing(std::string_view key, const std::string& message) const {
  refuse_line(file_, table_.source(), shown_key(key) + " is missing: " + message);
}

std::optional<std::int64_t> Section::integer(std::string_view name) const {
  const toml::node* const value = find(name);
  if (value == nullptr) return std::nullopt;
  const std::int64_t number = value->as_integer()->get();
  const Key& key = *key_of(kind_, name);
  if (number >= key.least && number <= key.greatest) return number;
  refuse(name, std::to_string(number) + " is out of range; it may be " + shown_range(key));
}

std::optional<std::string> Section::text(std::string_view name) const {
  const toml::node* const value = find(name);
  if (value == nullptr) return std::nullopt;
  const std::string& text = value->as_string()->get();
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7f; };
  if (std::none_of(text.begin(), text.end(), is_control)) return text;
  refuse(name, "a text without control characters is needed");
}

std::string Section::needed_text(std::string_view name) const {
  auto found = text(name);
  if (!found) refuse_missing(name, std::string(key_of(kind_, name)->value) + " is needed");
  return *found;
}

std::string Section::absolute_path(std::string_view key) const {
  const auto path = text(key);
  if (!path) return "";
  if (path->empty() || path->front() != '/') refuse(key, "an absolute path is needed");
  return *path;
}

bool Section::flag(std::string_view name) const {
  const toml::node* const value = find(name);
  return value != nullptr && value->as_boolean()->get();
}

}  // namespace polyflake::server
