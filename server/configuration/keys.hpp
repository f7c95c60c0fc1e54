// The keys of the configuration: the one table. Reading, the ranges of numbers, the advice on
// misspelled keys and the table for people all use it.
#pragma once

#include <cstdint>

namespace polyflake::server {

// The kind of the top of the file of tokens, which has sections alone. That of the configuration is
// "".
inline constexpr char kFileOfTokens[] = "tokens";

struct Key {
  enum class Type { integer, flag, text, worker };

  const char* section;  // "", "generator", "counter", "listener" or "token"
  const char* name;
  Type type;
  std::int64_t least;     // of an integer
  std::int64_t greatest;  // INT64_MAX: the core knows the limit
  const char* value;      // for people; "" for integers and flags
  const char* fallback;   // "": the key is needed. "-": nothing
  const char* meaning;
};

constexpr Key integer_key(const char* section, const char* name, std::int64_t least, std::int64_t greatest,
                          const char* fallback, const char* meaning) {
  return {section, name, Key::Type::integer, least, greatest, "", fallback, meaning};
}

constexpr Key flag_key(const char* section, const char* name, const char* meaning) {
  return {section, name, Key::Type::flag, 0, 0, "", "false", meaning};
}

constexpr Key text_key(const char* section, const char* name, const char* value, const char* fallback,
                       const char* meaning) {
  return {section, name, Key::Type::text, 0, 0, value, fallback, meaning};
}

inline constexpr Key kKeys[] = {
    text_key("", "registry", "an absolute path", "-",
             "the folder in which this host keeps its node ids. It must exist. Needed with a worker `host` or "
             "`host:N`, and refused without one"),
    text_key("", "unknown_keys", "the name of a generator", "-",
             "the generator for keys of no generator and no counter. Without it they are refused"),
    integer_key("", "max_batch", 1, 100'000, "10000", "the most ids of one request. A request for more is refused"),
    integer_key("", "max_wait_ms", 0, 60'000, "500",
                "the longest wait of a request. One that would wait longer is refused at once"),
    integer_key("", "max_connections", 1, 1'000'000, "10000", "the most connections of all listeners together"),
    integer_key("", "max_pending_bytes", 1 << 20, INT64_MAX, "67108864",
                "the most memory for requests and replies of all connections together"),
    integer_key("", "drain_ms", 0, 600'000, "5000",
                "after SIGTERM: how long the server still serves while it says that it is not ready"),

    {"generator", "worker", Key::Type::worker, 0, 0,
     "a number, `{datacenter = 1, worker = 7}`, `\"host\"`, `\"host:7\"`, `\"ordinal\"` or the address of a store", "",
     "the source of the node id"},
    text_key("generator", "layout", "the name of a preset, or a layout", "polyflake", "the meaning of the bits"),

    text_key("counter", "store", "the address of a store", "", "the store that has the counter"),
    text_key("counter", "counter", "a name", "the section's", "the name of the counter in the store"),
    integer_key("counter", "step", 1, INT64_MAX, "adaptive",
                "how many numbers a fetch takes. 1: no gaps in normal running, at one round trip each"),
    integer_key("counter", "hold_ms", 1, INT64_MAX, "30000", "how long the store may be away at a steady rate"),
    integer_key("counter", "timeout_ms", 1, INT64_MAX, "2000", "the longest wait for the store"),

    text_key("listener", "protocol", "`\"resp\"`, `\"http\"` or `\"thrift\"`", "", "the one protocol that it speaks"),
    text_key("listener", "address",
             "`\"127.0.0.1:7600\"`, `\"[::1]:7600\"`, `\"localhost:7600\"`, `\"unix:/path\"` or `\"systemd:NAME\"`", "",
             "where clients connect. Port 0 is any free one; `systemd:` takes the sockets that a unit passes"),
    flag_key(
        "listener", "insecure",
        "needed without TLS for an address that other hosts reach: they can read what is sent, and take ids unless "
        "there are tokens"),
    text_key("listener", "certificate", "an absolute path", "-",
             "TLS: the server's certificate in PEM, then those that lead to its authority"),
    text_key("listener", "key", "an absolute path", "-",
             "TLS: the key of the certificate, in PEM without a passphrase"),
    text_key("listener", "client_ca", "an absolute path", "-",
             "TLS: authorities in PEM. Clients must show a certificate of one"),
    flag_key("listener", "leaf", "HTTP: the paths of Meituan's Leaf, too"),
    text_key("listener", "generator", "the name of a generator", "the only one",
             "Thrift: the generator that it serves, since its calls name none"),
    text_key("listener", "tokens", "an absolute path", "-",
             "RESP and HTTP: the file of tokens, one of which each client needs. Without it clients need none"),

    text_key("token", "secret", "16 to 128 printable characters without blanks", "", "what clients send"),
    text_key("token", "keys", "names with commas between them", "all",
             "the generators and counters that it may take ids of"),
    integer_key("token", "rate", 1, INT64_MAX, "no limit",
                "ids a second, for all its clients together. At once it gives those of one second"),
    flag_key("token", "inspect",
             "may decode ids, list generators and read metrics, which tell how many ids are taken, and when"),
};

}  // namespace polyflake::server
