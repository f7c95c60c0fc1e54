// The table of keys for people: --config-help, and docs/server.md.
#include <string>

#include "configuration/configuration.hpp"
#include "configuration/keys.hpp"

namespace polyflake::server {
namespace {

std::string shown_section(std::string_view section) {
  if (section.empty()) return "top of the file";
  if (section == "token") return "`[token.NAME]` of the file of tokens";
  return section == "listener" ? "`[[listener]]`" : "`[" + std::string(section) + ".NAME]`";
}

std::string shown_value(const Key& key) {
  if (key.type == Key::Type::flag) return "`true` or `false`";
  if (key.type != Key::Type::integer) return key.value;
  const std::string least = std::to_string(key.least);
  return key.greatest == INT64_MAX ? least + " or more" : least + " to " + std::to_string(key.greatest);
}

std::string shown_fallback(const Key& key) {
  const std::string fallback = key.fallback;
  return fallback.empty() ? "needed" : fallback;
}

}  // namespace

std::string table_of_keys() {
  std::string table = "| section | key | value | default | meaning |\n| --- | --- | --- | --- | --- |\n";
  for (const Key& key : kKeys) {
    table += "| " + shown_section(key.section) + " | `" + key.name + "` | " + shown_value(key) + " | " +
             shown_fallback(key) + " | " + key.meaning + " |\n";
  }
  return table;
}

}  // namespace polyflake::server
