#include "paths.hpp"

namespace polyflake::test {

const char* const kIssuer = POLYFLAKE_ISSUER;
const char* const kVectors = POLYFLAKE_VECTORS;

}  // namespace polyflake::test
