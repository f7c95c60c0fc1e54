// The stores that an address can name. store_list.hpp lists them; the source of its name defines
// each.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "lease/dialect.hpp"
#include "lease/store_list.hpp"

namespace polyflake::lease {

struct StoreKind {
  std::string_view name;
  std::string_view schemes;  // of its addresses, with a blank between two
  bool has_schemas;
  // Null for a store that is in the core, which no client is needed for.
  std::unique_ptr<Dialect> (*make)(const std::string& name, const std::string& schema, Placeholder placeholder);
};

namespace stores {
#define POLYFLAKE_DECLARE(name) extern const StoreKind name;
POLYFLAKE_STORES(POLYFLAKE_DECLARE)
#undef POLYFLAKE_DECLARE
}  // namespace stores

// Returns the kind whose addresses begin with this scheme, without "://"; null if there is none.
const StoreKind* store_kind_of_scheme(std::string_view scheme);

// Errors: option_invalid if there is no kind of this name.
const StoreKind& store_kind(std::string_view name);

// Returns "redis://, rediss://, ... or mysql://", for messages.
std::string all_schemes();

// Returns the scheme that a misspelled one means, such as postgresql for postgres and for
// postgresql+psycopg; "" if it is not like any.
std::string closest_scheme(std::string_view scheme);

}  // namespace polyflake::lease
