// The files of a host registry as a test sees them: bytes on disk.
#pragma once

#include <polyflake/layout.hpp>
#include <polyflake/text.hpp>

#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>

#include "os/os.hpp"

namespace polyflake::test {

constexpr std::size_t kSlotOffsets[] = {0, 4096};
constexpr std::size_t kSlotSize = 512;

inline std::string node_path(const std::string& home, const Layout& layout, std::uint64_t node) {
  return platform::inside(home, to_text(layout.fingerprint(), "hex") + "/" + std::to_string(node));
}

inline std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Into the file that is there, so that it stays the same file.
inline void overwrite(const std::string& path, const std::string& bytes) {
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

inline std::int64_t number_in(const std::string& record, const std::string& key) {
  const std::size_t at = record.find("\n" + key + "=");
  return at == std::string::npos ? -1 : std::stoll(record.substr(at + key.size() + 2));
}

// The slot with the larger count.
inline std::string newest_slot(const std::string& path) {
  const std::string bytes = bytes_of(path);
  std::string newest;
  for (const std::size_t offset : kSlotOffsets) {
    const std::string slot = bytes.size() > offset ? bytes.substr(offset, kSlotSize) : "";
    if (number_in(slot, "count") > number_in(newest, "count")) newest = slot;
  }
  return newest;
}

// Unix ms, -1 when there is none.
inline std::int64_t mark_in(const std::string& path) { return number_in(newest_slot(path), "until_ms"); }

}  // namespace polyflake::test
