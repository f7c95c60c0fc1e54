// Many ids at a time, on one thread.
#include "rows.hpp"

#include <polyflake/claims.hpp>

#include <cstddef>
#include <cstdint>

namespace polyflake::bench {
namespace {

constexpr std::size_t kMost = 4096;
alignas(64) std::uint64_t memory[kMost];  // one for floor and candidate

auto fill(std::size_t count) {
  return [=] {
    return [=, generator = open(kWider)] {
      generator->fill(memory, count);
      benchmark::ClobberMemory();
    };
  };
}

// The library's own loop, so that floor and candidate run the very same code: of two equal loops one may be 1.7 times as
// fast as the other, by where the linker puts them.
auto writing() {
  return [run = IdRange{1, 1, kMost, true}] {
    run.write(memory);
    benchmark::ClobberMemory();
  };
}

// What shows whether the library's loop is a good one: 32-byte stores where the processor has them.
[[gnu::always_inline]] inline void count_up_here(std::uint64_t* ids, std::size_t count, std::uint64_t first) {
  for (std::size_t i = 0; i < count; ++i, ++first) ids[i] = first;
}
void count_up_plain(std::uint64_t* ids, std::size_t count, std::uint64_t first) { count_up_here(ids, count, first); }
#if defined(__x86_64__)
[[gnu::target("avx2")]] void count_up_avx2(std::uint64_t* ids, std::size_t count, std::uint64_t first) {
  count_up_here(ids, count, first);
}
bool has_avx2() { return __builtin_cpu_supports("avx2"); }
#else
constexpr auto count_up_avx2 = count_up_plain;
bool has_avx2() { return false; }
#endif

auto count_up() {
  return [loop = has_avx2() ? count_up_avx2 : count_up_plain] {
    loop(memory, kMost, 1);
    benchmark::ClobberMemory();
  };
}

}  // namespace

void register_batch(Report& report) {
  constexpr const char* kWriting = "writing 4096 ids that are claimed";
  register_single(report, "fill_4096", kWriting, writing,
                  {"cpp.fill_4096", "batch", kOurs, "Generator::fill(), 4096 ids", ""}, fill(kMost));
  register_single(report, "count_up", kWriting, writing,
                  {nullptr, "batch", "reference", "counting up in 4096 words", "no ids: only the work they need"}, count_up);
  register_single(report, "fill_64", kClockName, clock_reading,
                  {"cpp.fill_64", "batch", kOurs, "Generator::fill(), 64 ids", ""}, fill(64));
}

}  // namespace polyflake::bench
