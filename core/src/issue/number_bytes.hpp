// Numbers of a source as bytes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace polyflake {

// Writes n ids of a source of numbers, in the byte order of this machine. Blocks and errors: as
// fill() of the source.
template <class Source>
void fill_number_bytes(Source& source, unsigned char* ids, std::size_t n) {
  // Written to this buffer first, since the bytes may lie at any address.
  constexpr std::size_t kPiece = 256;
  std::uint64_t piece[kPiece];
  for (std::size_t done = 0; done < n;) {
    const std::size_t now = std::min(n - done, kPiece);
    source.fill(piece, now);
    std::memcpy(ids + done * sizeof *piece, piece, now * sizeof *piece);
    done += now;
  }
}

}  // namespace polyflake
