// Random bits for ids: as good as the operating system's, at the speed of memory, and never the same in a copy of the process that the
// operating system tells of.
//
// Each thread has 4 KiB of the key stream of AES-256 in counter mode. The first 48 bytes of each stream are key and counter of
// the next one, and what was given out is zeroed, so that whoever sees the memory learns nothing of what was given before ("fast
// key erasure", D. J. Bernstein, 2017). Keys begin with 48 bytes of the operating system, and again after each MiB.
#pragma once

#include <cstddef>
#include <cstdint>

namespace polyflake::entropy {

// 64 random bits that nobody else was given. In a signal handler, too, but for the first of a thread, which allocates.
// Errors: registry_unusable (the operating system gave none: there is no weaker source), std::bad_alloc.
std::uint64_t bits();

// The same for many: n words.
void fill(std::uint64_t* words, std::size_t n);

}  // namespace polyflake::entropy
