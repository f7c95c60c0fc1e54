// The configuration of polyflaked: a TOML file, read strictly. A key that is not in the table of
// keys, a value of another type or outside its range, and a combination that cannot be served are
// errors that name the file's line.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <polyflake/layout.hpp>
#include <polyflake/segment.hpp>
#include <polyflake/worker.hpp>

#include "ids/service.hpp"
#include "network/tls.hpp"

namespace polyflake::server {

// [generator.<name>]
struct GeneratorConfiguration {
  std::string name;
  Worker worker;         // a number, one number per node field, "host", "host:7", "ordinal"; or:
  std::string store;     // the address of the store that leases its node id; "" if `worker` is set
  bool by_host = false;  // the worker is of this host's registry, so `registry` is set
  Layout layout = "polyflake";
};

// [counter.<name>]
struct CounterConfiguration {
  std::string store;       // the address of the store that has it
  SegmentOptions options;  // options.name: that of the counter, by default the key's
  std::string name;        // what clients ask for
};

// [[listener]]
struct ListenerConfiguration {
  enum class Protocol { resp, http, thrift } protocol;
  // TCP has a host, as a numeric address, and a port; a Unix socket has a path. A socket that the
  // service manager passes has its name alone.
  std::string host;
  std::uint16_t port = 0;  // 0: any free one
  std::string path;
  std::string passed;
  bool insecure = false;
  bool leaf = false;         // HTTP: Leaf's paths as well
  std::string generator;     // Thrift: the one that it serves
  std::shared_ptr<Tls> tls;  // null: none
  std::string tokens;        // RESP and HTTP: the file of tokens; "": clients need none

  // Returns true if other hosts may reach it.
  bool may_be_reached() const { return insecure || tls != nullptr; }
};

// Returns "resp", "http" or "thrift".
const char* name_of(ListenerConfiguration::Protocol protocol) noexcept;

struct Configuration {
  Limits limits;
  std::int64_t drain_ms = 5000;
  std::string registry;      // folder of the registry of `host` workers; "" if there is none
  std::string unknown_keys;  // generator for keys of no generator; "": they are refused
  std::vector<GeneratorConfiguration> generators;
  std::vector<CounterConfiguration> counters;
  std::vector<ListenerConfiguration> listeners;
};

class ConfigurationError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Reads a configuration. name: of the file, for messages. Looks at folders, reads certificates,
// connects to nothing.
// Errors: ConfigurationError, with name and line; no message contains a password.
Configuration read_configuration(std::string_view text, const std::string& name);

// Returns the table of all keys, in Markdown: section, key, value, default, meaning.
std::string table_of_keys();

}  // namespace polyflake::server
