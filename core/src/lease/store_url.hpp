// Addresses of stores: redis://user:secret@host:6379/0?namespace=orders&window_ms=4000
//
// Query parameters of leases are ours; all others, and everything before them, belong to the client.
#pragma once

#include <polyflake/layout.hpp>
#include <polyflake/lease.hpp>

#include <optional>
#include <string>
#include <string_view>

#include "lease/machine.hpp"

namespace polyflake::lease {

// A namespace in a store, and what is wanted of it.
struct Place {
  std::string name;  // of the namespace
  LeaseOptions options;
  std::string schema;  // of the tables of a database; "": "public" in PostgreSQL, the connection's database in MySQL

  // One of the parameters: namespace, uuid, auto_init, window_ms, tolerance_ms, acquire_timeout_ms, renew_wait_ms, label, schema.
  // False where there is none of that name. Errors: option_invalid.
  bool set(std::string_view parameter, std::string_view value);
};

struct StoreUrl {
  std::string kind;    // of dialect.hpp
  std::string client;  // for the client: without our parameters
  std::string shown;   // for people: without credentials and parameters
  Place place;
};

// Whether the text is meant as an address of a store: it has a scheme. Of another one than those of stores parse_store_url()
// shows nothing, for it may have a password.
bool is_store_url(std::string_view text);

// Errors: option_invalid if a schema is asked for and this kind of store has none.
void check_schema(const std::string& kind, const Place& place);

// Errors: worker_source_invalid, option_invalid.
StoreUrl parse_store_url(std::string_view text);

// What the machine goes by. Errors: option_invalid, also where the layout does not go together with the window.
Settings settings_for(const LeaseOptions& options, const Layout& layout, const std::string& label);
// What a look at a namespace needs of it.
Settings settings_of(const Layout& layout);

}  // namespace polyflake::lease
