// Texts that name a kind of ids: "uuid7", or with a store "segment:redis://host/0". One reader for all languages.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace polyflake {

struct KindText {
  std::string name;
  std::optional<std::string> store;  // what stands behind the first ':'
};

// The kinds of this library, in the order of their table.
std::vector<std::string> built_in_kinds();

// own: names that were registered beside those of this library. A name is [a-z][a-z0-9_]{0,31}, a store 1 to 4096 printable
// ASCII characters, of which messages show nothing: they may have a password.
// Errors: text_invalid, unknown_kind (with the nearest name), option_invalid (a store where the kind has none).
KindText parse_kind(std::string_view text, const std::vector<std::string>& own = {});

// Whether `name` may be registered. Errors: text_invalid, option_invalid (it is taken).
void check_new_kind(std::string_view name, const std::vector<std::string>& own);

}  // namespace polyflake
