// Prints what an id says: the id, then name=value for each of its parts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iostream>

#include <polyflake/polyflake.hpp>

inline void say(std::uint64_t id, const polyflake::Layout& layout) {
  const polyflake::Parts parts = layout.unpack(id);
  std::cout << id << " time_ms=" << parts.time_ms << " tick=" << parts.tick;
  for (std::size_t i = 0; i < parts.fields.size(); ++i) {
    std::cout << ' ' << layout.node_fields()[i].name << '=' << parts.fields[i];
  }
  std::cout << " sequence=" << parts.sequence << '\n';
}
