#include "facade/many.hpp"

#include <string>

namespace polyflake::facade {

void refuse_one_of(std::size_t i, const char* what, const Error& error) {
  const std::string message = std::string(what) + " " + std::to_string(i) + " of the list: " + error.what();
  if (const auto position = error.position()) throw Error(error.code(), message, *position);
  throw Error(error.code(), message);
}

}  // namespace polyflake::facade
