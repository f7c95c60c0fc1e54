// Addresses of stores: redis://user:secret@host:6379/0?namespace=orders&window_ms=4000
//
// The query parameters of leases are ours. All others, and the text before them, belong to the
// client of the store. Use it to open a store whose address comes from a configuration; the carrier
// that connects is in carrier.hpp.
#pragma once

#include <string>
#include <string_view>

#include <polyflake/lease.hpp>

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
  std::string kind;    // "redis", "zookeeper", "etcd", "postgresql", "mysql" or "memory"
  std::string client;  // for the client: without our parameters; may contain a password
  std::string shown;   // for people: without credentials and parameters
  WantedNamespace wanted;
};

// Returns the parts of an address. It connects to nothing. Errors: worker_source_invalid if it is
// no address of a store or names no namespace, option_invalid for a value of a parameter. Their
// messages contain no credentials. Thread safety: any thread.
StoreUrl parse_store_url(std::string_view text);
// Returns the parts of the address of a server that is used without a namespace, so it has no
// parameter of ours. Errors, thread safety: as parse_store_url().
StoreUrl parse_server_url(std::string_view text);

}  // namespace polyflake::lease
