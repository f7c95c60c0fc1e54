// Where this build and its sources are. In an object of its own: all others are then the same in every folder, and a compiler
// cache has them.
#pragma once

namespace polyflake::test {

extern const char* const kIssuer;   // the program of issuer.cpp
extern const char* const kVectors;  // the folder tests/vectors, with a slash at its end

}  // namespace polyflake::test
