// Texts that name a kind of ids: "uuid7", or with a store "segment:redis://host/0". All languages
// use this reader.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace polyflake {

struct KindText {
  std::string name;
  std::optional<std::string> store;  // the text after the first ':'
};

// Returns the kinds of this library, in the order of their table.
std::vector<std::string> built_in_kinds();

// Returns the name and the store. own: names that were registered in addition to those of this
// library. A name is [a-z][a-z0-9_]{0,31}, a store 1 to 4096 printable ASCII characters. Messages
// never show the store, since it may contain a password.
// Errors: text_invalid, unknown_kind (with the nearest name), option_invalid (a store for a kind
// that has none).
KindText parse_kind(std::string_view text, const std::vector<std::string>& own = {});

// Checks that `name` may be registered. Errors: text_invalid, option_invalid (it is taken).
void check_new_kind(std::string_view name, const std::vector<std::string>& own);

}  // namespace polyflake
