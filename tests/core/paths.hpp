// The folders of this build and of its sources. They are in an object of their own: all others are then the same in every
// clone, and a compiler cache has them.
#pragma once

namespace polyflake::test {

extern const char* const kIssuer;   // the program of issuer.cpp
extern const char* const kVectors;  // the folder tests/vectors, with a slash at its end

}  // namespace polyflake::test
