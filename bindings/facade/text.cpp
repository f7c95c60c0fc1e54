#include "facade/text.hpp"

namespace polyflake::facade {

std::string to_text(std::uint64_t id, const std::string& codec) { return polyflake::to_text(id, codec); }

std::uint64_t from_text(const std::string& text, const std::string& codec) { return polyflake::from_text(text, codec); }

}  // namespace polyflake::facade
