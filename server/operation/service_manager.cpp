#include "operation/service_manager.hpp"

#include <charconv>
#include <cstdlib>

#include <polyflake/error.hpp>

#include "configuration/configuration.hpp"

namespace polyflake::server {

std::optional<std::string> take_variable(const char* name) {
  const char* const value = std::getenv(name);
  if (value == nullptr) return std::nullopt;
  std::string taken = value;
  ::unsetenv(name);
  return taken;
}

std::int64_t number_of_variable(const char* name, const std::string& value) {
  std::int64_t number = 0;
  const char* const end = value.data() + value.size();
  const auto read = std::from_chars(value.data(), end, number);
  if (read.ec == std::errc() && read.ptr == end && number > 0) return number;
  throw ConfigurationError(std::string("the variable ") + name + " is " + polyflake::quoted(value) +
                           "; a service manager writes a number above 0. Unset it if none started this process");
}

}  // namespace polyflake::server
