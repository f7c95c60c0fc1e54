// Addresses of stores: redis://user:secret@host:6379/0?namespace=orders&window_ms=4000
//
// The query parameters of leases are ours. All others, and the text before them, belong to the
// client.
#pragma once

#include <polyflake/layout.hpp>
#include <polyflake/lease.hpp>

#include <optional>
#include <string>
#include <string_view>

#include "lease/machine.hpp"

namespace polyflake::lease {

// The namespace that an address or a caller asks for, and the options for it.
struct WantedNamespace {
  std::string name;  // of the namespace
  LeaseOptions options;
  // That of the tables of a database; "": "public" in PostgreSQL, the connection's database in
  // MySQL.
  std::string schema;

  // Sets one of the parameters: namespace, uuid, auto_init, window_ms, tolerance_ms,
  // acquire_timeout_ms, renew_wait_ms, label, schema. Returns false if there is none of that name.
  // Errors: option_invalid.
  bool set(std::string_view parameter, std::string_view value);
};

struct StoreUrl {
  std::string kind;    // one of dialect.hpp
  std::string client;  // for the client: without our parameters
  std::string shown;   // for people: without credentials and parameters
  WantedNamespace wanted;
};

// Errors: option_invalid if a schema is asked for and this kind of store has none.
void check_schema(const std::string& kind, const WantedNamespace& wanted);

// Errors: worker_source_invalid, option_invalid.
StoreUrl parse_store_url(std::string_view text);
// Returns the address of a server that is used without a namespace, so it has no parameter of ours.
// Errors: as parse_store_url().
StoreUrl parse_server_url(std::string_view text);

// Returns the settings of the machine. Errors: option_invalid, also if the layout does not fit the
// window.
Settings settings_for(const LeaseOptions& options, const Layout& layout, const std::string& label);
// Returns the settings that suffice to look at a namespace.
Settings settings_of(const Layout& layout);

}  // namespace polyflake::lease
