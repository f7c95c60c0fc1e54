// The requests to etcd's JSON gateway, and the meaning of its answers.
#pragma once

#include <polyflake/command.hpp>

#include <cstdint>
#include <optional>
#include <string>

#include "open/server_address.hpp"

namespace polyflake::etcd {

// Returns the body for /v3/kv/txn. Errors: CommandFailure if etcd has no such command.
std::string transaction_of(const lease::Command& command);
// Returns the rows in the answer to a command. date_ms: that of the answer. Errors: CommandFailure
// if it is none.
lease::Reply rows_of(const std::string& answer, std::optional<std::int64_t> date_ms, const lease::Command& command);

// Returns the body for /v3/auth/authenticate.
std::string login_of(const Login& login);
// Returns the token in the answer. Errors: CommandFailure if it has none.
std::string token_in(const std::string& answer);

}  // namespace polyflake::etcd
