// Ids of 16 and 12 bytes in a Uint8Array of JavaScript.
#pragma once

#include <cstddef>

#include <napi.h>

namespace polyflake::node {

struct Bytes {
  unsigned char* data;
  std::size_t width;  // bytes of an id
  std::size_t count;  // of ids
};

// Errors: option_invalid unless it is a Uint8Array of whole ids.
Bytes bytes_of(Napi::Value value, std::size_t width);

// Writes the text of a UUID, or of an ObjectId, without an end mark; returns its length.
std::size_t write_text(const unsigned char* id, std::size_t width, char* text);

}  // namespace polyflake::node
