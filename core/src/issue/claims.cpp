#include <polyflake/claims.hpp>

#if defined(__x86_64__) && defined(__GNUC__)
#include <cpuid.h>
#define POLYFLAKE_HAS_AVX2_CLONE 1
#define POLYFLAKE_INTO_EACH_CLONE inline __attribute__((always_inline))
#else
#define POLYFLAKE_HAS_AVX2_CLONE 0
#define POLYFLAKE_INTO_EACH_CLONE inline
#endif

namespace polyflake {
namespace {

// `range` by value: a reference could overlap the ids, and then each id would be written alone.
// The first few alone: stores that cross lines of the cache take up to three times as long.
POLYFLAKE_INTO_EACH_CLONE void write_range(std::uint64_t* ids, const IdRange range) {
  constexpr std::size_t kStoreBytes = 32;
  std::uint64_t id = range.first;
  std::size_t i = 0;
  for (; i < range.count && reinterpret_cast<std::uintptr_t>(ids + i) % kStoreBytes != 0; ++i, id += range.step)
    ids[i] = id;
  for (; i < range.count; ++i, id += range.step) ids[i] = id;
}

#if POLYFLAKE_HAS_AVX2_CLONE
// The same loop for processors with 32-byte stores, which take half the time. Chosen by hand:
// ifuncs (target_clones) exist with glibc only.
__attribute__((target("avx2"))) void write_range_avx2(std::uint64_t* ids, const IdRange range) {
  write_range(ids, range);
}
// Asked for by hand: __builtin_cpu_supports() is never true where zig links it.
bool processor_has_avx2() noexcept {
  constexpr unsigned kSavesXmmAndYmm = 6;
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & bit_OSXSAVE) == 0) return false;
  unsigned saved = 0;
  __asm__("xgetbv" : "=a"(saved), "=d"(d) : "c"(0));
  return (saved & kSavesXmmAndYmm) == kSavesXmmAndYmm && __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 &&
         (b & bit_AVX2) != 0;
}
const bool has_avx2 = processor_has_avx2();
#endif

}  // namespace

void IdRange::write(std::uint64_t* ids) const {
#if POLYFLAKE_HAS_AVX2_CLONE
  if (has_avx2) return write_range_avx2(ids, *this);
#endif
  write_range(ids, *this);
}

}  // namespace polyflake
