// Sections with a name: [generator.NAME], [counter.NAME], [token.NAME].
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "configuration/section.hpp"

namespace polyflake::server {

// Returns true for 1 to 64 of A-Z a-z 0-9 _ . -
bool is_plain_name(std::string_view name);

// Reads each section of a kind: [kind.NAME]. Errors: ConfigurationError, also for a name that is
// not plain; what `read` throws.
template <class Read>
auto read_named(const toml::table& file_table, const char* kind, const std::string& file, Read read) {
  std::vector<decltype(read(std::declval<const Section&>(), std::string()))> all;
  const toml::node* const node = file_table.get(kind);
  if (node == nullptr) return all;
  if (!node->is_table()) {
    refuse_line(file, node->source(), std::string(kind) + " is a section: write [" + kind + ".NAME]");
  }
  for (const auto& [key, value] : *node->as_table()) {
    const std::string name(key.str());
    if (!is_plain_name(name)) {
      refuse_line(
          file, key.source(),
          std::string("the name of a ") + kind + " is 1 to 64 of A-Z a-z 0-9 _ . -, not " + polyflake::quoted(name));
    }
    if (!value.is_table()) {
      refuse_line(file, key.source(), std::string(kind) + "." + name + " is not a section: write [" + kind + ".NAME]");
    }
    all.push_back(read(Section(*value.as_table(), kind, "[" + std::string(kind) + "." + name + "]", file), name));
  }
  return all;
}

}  // namespace polyflake::server
