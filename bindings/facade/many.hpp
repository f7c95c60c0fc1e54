// Many values at once.
#pragma once

#include <polyflake/error.hpp>

#include <string>
#include <vector>

namespace polyflake::facade {

// Returns the results of `convert` for each value, in their order; a refusal gives the index.
template <typename To, typename From, typename Convert>
std::vector<To> all_of(const std::vector<From>& many, const char* what, Convert convert) {
  std::vector<To> converted;
  converted.reserve(many.size());
  try {
    for (const From& one : many) converted.push_back(convert(one));
  } catch (const Error& error) {
    const std::string message =
        std::string(what) + " " + std::to_string(converted.size()) + " of the list: " + error.what();
    if (const auto position = error.position()) throw Error(error.code(), message, *position);
    throw Error(error.code(), message);
  }
  return converted;
}

}  // namespace polyflake::facade
