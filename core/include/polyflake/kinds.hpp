// Sources of ids by the name of their kind, for programs that read the kind from their
// configuration.
//
//   std::unique_ptr<polyflake::IdSource> ids = polyflake::open_kind("uuid7", {{"worker", "host"}});
//   std::string id = ids->next_id_string();
//
// Kinds: those of this library, as kinds() lists them, and those that the program registers. Part
// of the library polyflake::kinds.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <polyflake/id_source.hpp>
#include <polyflake/kind_options.hpp>

namespace polyflake {

// Returns a new source of ids of this kind, "name" or "name:store". A registered kind finds the
// store as the option "store".
// Blocks: as the source. Errors: text_invalid, unknown_kind, option_invalid, and those of the
// source. Thread safety: any thread.
std::unique_ptr<IdSource> open_kind(std::string_view text, KindOptions options = {});

// Makes `name` a kind of this program until it ends. `open` takes the options it knows, and may
// throw anything; null is refused.
// Errors: text_invalid (not a name), option_invalid (taken). Thread safety: any thread.
void register_kind(std::string_view name, std::function<std::unique_ptr<IdSource>(KindOptions& options)> open);

// Returns the names of all kinds: those of this library, then the registered ones in their order.
std::vector<std::string> kinds();

}  // namespace polyflake
