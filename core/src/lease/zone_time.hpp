// A time in a zone whose offset from UTC only the library of a language knows.
#pragma once

#include <cstdint>
#include <string>

namespace polyflake::lease {

struct ZoneTime {
  std::string zone;  // "Europe/Berlin"
  std::int64_t unix_ms = 0;
};

}  // namespace polyflake::lease
