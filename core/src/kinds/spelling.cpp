#include <polyflake/detail/spelling.hpp>

namespace polyflake {

Spelling::~Spelling() = default;

}  // namespace polyflake
