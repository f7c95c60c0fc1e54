#include "facade/text.hpp"

#include "base/closest.hpp"

namespace polyflake::facade {

std::string to_text(std::uint64_t id, const std::string& codec) { return polyflake::to_text(id, codec); }

std::uint64_t from_text(const std::string& text, const std::string& codec) { return polyflake::from_text(text, codec); }

std::uint64_t id_from_text(const std::string& text) { return polyflake::id_from_text(text); }

std::string closest(const std::string& given, const std::vector<std::string>& known) {
  return polyflake::closest(given, known);
}

}  // namespace polyflake::facade
