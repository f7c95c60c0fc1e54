// Failures: whatever is thrown below, as a code, a kind and a message.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "facade/options.hpp"

namespace polyflake::facade {

struct Failure {
  std::string code;  // from the table of error.hpp; "out_of_memory" or "internal" for what is not ours
  std::string kind;  // "argument", "clock", "worker", "state", "lease"; "" for what is not ours
  std::string message;
  std::int64_t position = -1;  // of the fault in a text; -1 where there is none
};

// Describes the exception being handled; call it inside a catch block. The message spells options like the caller.
// Never throws.
Failure current_failure(Spelling spelling) noexcept;

// Every code of the table with its kind, message empty: for tests that compare languages.
std::vector<Failure> error_table();

// Raises an Error with the code of this name: how a language package refuses what it could not even
// convert (a float for a node id), and how tests see each code cross. The name must be one of the table.
[[noreturn]] void raise(const std::string& code, const std::string& message);

}  // namespace polyflake::facade
