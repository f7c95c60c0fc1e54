#include "facade/error.hpp"

#include <polyflake/detail/option_table.hpp>
#include <polyflake/error.hpp>

#include <new>
#include <stdexcept>

#include "facade/counter.hpp"
#include "facade/options.hpp"

namespace polyflake::facade {
namespace {

// Text that a caller passed is in quotes and is not changed.
void respell(std::string& message, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = message.find(from, at)) != std::string::npos; at += to.size()) {
    if (at > 0 && message[at - 1] == '\'') continue;
    message.replace(at, from.size(), to);
  }
}

std::string with_options_spelled(std::string message, Spelling spelling) {
  if (spelling == Spelling::snake) return message;
  std::vector<std::string> names = counter_number_options();
  for (const NumberOption& option : number_options()) names.emplace_back(option.name);
  for (const std::string& name : names) respell(message, name, spelled(name, spelling));
  return message;
}

}  // namespace

Failure current_failure(Spelling spelling) noexcept {
  try {
    try {
      throw;
    } catch (const Error& error) {
      const auto position = error.position();
      return {error.code_name(), name(error.kind()), with_options_spelled(error.what(), spelling),
              position ? static_cast<std::int64_t>(*position) : -1};
    } catch (const std::bad_alloc&) {
      return {"out_of_memory", "", "out of memory"};
    } catch (const std::exception& error) {
      return {"internal", "", error.what()};
    } catch (...) {
      return {"internal", "", "unknown exception"};
    }
  } catch (...) {
    return {"out_of_memory", "", ""};  // no memory even to say more
  }
}

std::vector<Failure> error_table() {
  std::vector<Failure> table;
  for (const ErrorInfo& row : kErrorTable) table.push_back({row.name, name(row.kind), ""});
  return table;
}

void raise(const std::string& code, const std::string& message) {
  for (const ErrorInfo& row : kErrorTable) {
    if (code == row.name) throw Error(row.code, message);
  }
  throw std::invalid_argument("no such error code: " + code);
}

std::string quoted(const std::string& untrusted) { return polyflake::quoted(untrusted); }

}  // namespace polyflake::facade
