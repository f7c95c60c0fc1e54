// Random bits for ids: as good as the operating system's, at the speed of memory, and never
// repeated in a copy of the process that the operating system reports.
//
// Each thread has 4 KiB of the key stream of AES-256 in counter mode. The first 48 bytes of each
// stream are key and counter of the next one, and bytes are zeroed when given out, so that the
// memory tells a reader nothing of earlier output. Keys begin with 48 bytes of the operating
// system, and again after each MiB.
// Source: "Fast-key-erasure random-number generators", D. J. Bernstein, 2017.
#pragma once

#include <cstddef>
#include <cstdint>

namespace polyflake::entropy {

// Returns 64 random bits that no other call gets. Safe in a signal handler, except for the first
// call of a thread, which allocates.
// Errors: registry_unusable (the operating system gave none: there is no weaker source),
// std::bad_alloc.
std::uint64_t bits();

// Writes n such words.
void fill(std::uint64_t* words, std::size_t n);

}  // namespace polyflake::entropy
