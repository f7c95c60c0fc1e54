// A section of the configuration: reads the values of its keys, and refuses all that is not as the
// table of keys says.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <toml++/toml.h>
#include <polyflake/error.hpp>

#include "configuration/configuration.hpp"
#include "configuration/keys.hpp"

namespace polyflake::server {

// Raises the error of a line: "server.toml:7: ...".
[[noreturn]] void refuse_line(const std::string& file, const toml::source_region& place, const std::string& message);

// Returns "a text", "a whole number" and so on: what a value is, for messages.
const char* shown_type(const toml::node& value);

// Refuses a key that is not in the table. sections: names that belong there besides keys.
class Section {
 public:
  // kind: as in the table of keys, or kFileOfTokens. shown: for messages, such as
  // "[generator.orders]"; "" for the top. Requires: file and table last as long as this object.
  // Errors: ConfigurationError if a key is not of this kind of section, or its type is wrong.
  Section(const toml::table& table, const char* kind, std::string shown, const std::string& file);

  // Return the value of a key, if it is there. Errors: ConfigurationError for a number out of its
  // range and for a text with control characters.
  std::optional<std::int64_t> integer(std::string_view key) const;
  std::optional<std::string> text(std::string_view key) const;
  bool flag(std::string_view key) const;  // false if it is not there
  // Returns "" if it is not there. Errors: ConfigurationError if it is not absolute.
  std::string absolute_path(std::string_view key) const;
  // Errors: ConfigurationError if it is not there.
  std::string needed_text(std::string_view key) const;

  // Returns the value of a key of any type, or null.
  const toml::node* find(std::string_view key) const { return table_.get(key); }

  // Raises an error at a key; at the section if the key is not there.
  [[noreturn]] void refuse(std::string_view key, const std::string& message) const;
  [[noreturn]] void refuse_missing(std::string_view key, const std::string& message) const;

  // Returns what the work returns. An error of the core becomes one of this key's line.
  template <class Work>
  auto checked(std::string_view key, Work work) const {
    try {
      return work();
    } catch (const Error& error) {
      refuse(key, error.what());
    }
  }

  const toml::table& table() const { return table_; }
  const std::string& file() const { return file_; }

 private:
  void check_keys() const;
  void check_type(const Key& key, const toml::node& value) const;
  [[noreturn]] void refuse_unknown(const toml::key& key) const;
  std::string shown_key(std::string_view key) const;

  const toml::table& table_;
  const char* const kind_;
  const std::string shown_;
  const std::string& file_;
};

}  // namespace polyflake::server
