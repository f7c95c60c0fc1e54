// Failures: any exception from below, as a code, a kind and a message.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "facade/options.hpp"

namespace polyflake::facade {

struct Failure {
  // From the table of error.hpp; "out_of_memory" or "internal" for other exceptions.
  std::string code;
  // "argument", "clock", "worker", "state" or "lease"; "" for other exceptions.
  std::string kind;
  std::string message;
  std::int64_t position = -1;  // of the fault in a text; -1 if there is none
};

// Returns the exception being handled; call it inside a catch block. The message spells options as
// the caller does. Never throws.
Failure current_failure(Spelling spelling) noexcept;

// Returns every code of the table with its kind, message empty: for tests that compare languages.
std::vector<Failure> error_table();

// Raises an Error with the code of this name. Language packages use it to refuse values that they
// cannot convert (a float for a node id); tests use it to see each code cross. Requires: a name of
// the table.
[[noreturn]] void raise(const std::string& code, const std::string& message);

// Returns untrusted text for a message, as polyflake::quoted() does: packages quote no text
// themselves.
std::string quoted(const std::string& untrusted);

}  // namespace polyflake::facade
