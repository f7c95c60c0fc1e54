// Ids in an array of JavaScript.
#pragma once

#include <cstddef>

#include <napi.h>

namespace polyflake::node {

struct Bytes {
  unsigned char* data;
  std::size_t width;  // bytes of an id
  std::size_t count;  // of ids
};

// Errors: option_invalid unless it is a BigUint64Array, for ids of 8 bytes, or a Uint8Array of
// whole ids.
Bytes bytes_of(Napi::Value value, std::size_t width);

}  // namespace polyflake::node
