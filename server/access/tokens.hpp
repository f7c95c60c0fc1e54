// The file of tokens: who may take which ids, and how many a second. TOML, read as strictly as the
// configuration, with the same table of keys.
//
//   [token.billing]
//   secret = "..."                # clients send it
//   keys = "orders, invoices"     # those that it may take ids of; all if the key is not there
//   rate = 10000                  # ids a second; no limit if the key is not there
//   inspect = true                # may learn how many ids are taken, and when
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "access/secret.hpp"

namespace polyflake::server {

// [token.<name>]
struct Token {
  std::string name;
  Secret secret;
  std::vector<std::string> keys;    // generators and counters; empty: all
  std::int64_t ids_per_second = 0;  // 0: no limit
  bool may_inspect = false;
};

// Reads the tokens of a file: at least one, each with another secret. file: its name, for messages.
// served: names of all generators and counters.
// Errors: ConfigurationError, with file and line; no message contains a secret.
std::vector<Token> read_tokens(std::string_view text, const std::string& file, const std::vector<std::string>& served);

}  // namespace polyflake::server
