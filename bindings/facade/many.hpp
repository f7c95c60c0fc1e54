// Many values at once.
#pragma once

#include <polyflake/error.hpp>

#include <cstddef>
#include <vector>

namespace polyflake::facade {

// Throws the error again, with the index in its message.
[[noreturn]] void refuse_one_of(std::size_t i, const char* what, const Error& error);

// Returns the result of `convert` for value i of many; a refusal gives the index.
template <typename Convert>
auto one_of(std::size_t i, const char* what, Convert convert) {
  try {
    return convert();
  } catch (const Error& error) {
    refuse_one_of(i, what, error);
  }
}

// Returns the results of `convert` for each value, in their order.
template <typename To, typename From, typename Convert>
std::vector<To> all_of(const std::vector<From>& many, const char* what, Convert convert) {
  std::vector<To> converted;
  converted.reserve(many.size());
  for (const From& one : many) converted.push_back(one_of(converted.size(), what, [&] { return convert(one); }));
  return converted;
}

}  // namespace polyflake::facade
