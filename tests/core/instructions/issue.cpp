// Issues ids for a count of instructions: polyflake_instructions OPERATION COUNT
//
// The clock of this program is its own and moves by 2 us whenever it is read, so that every run executes the same
// instructions: the real path through the system clock, with 500 readings in each millisecond.
#include <polyflake/polyflake.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <time.h>

namespace {

std::int64_t g_now_ns = 1'767'225'600'000'000'000;  // 2026-01-01
std::int64_t g_step_ns = 1'000'000;                 // while generators open: they wait for the next millisecond

}  // namespace

extern "C" int clock_gettime(clockid_t, timespec* now) noexcept {
  g_now_ns += g_step_ns;
  now->tv_sec = g_now_ns / 1'000'000'000;
  now->tv_nsec = g_now_ns % 1'000'000'000;
  return 0;
}

namespace {

using polyflake::Generator;

constexpr std::size_t kBatch = 4096;

// Never used up, so that no call waits.
constexpr const char* kWide = "timestamp:39 sequence:24 tick=1ms epoch=2020-01-01T00:00:00.000Z";

polyflake::Options options(polyflake::Ordering ordering) {
  polyflake::Options made;
  made.worker = 0;
  made.layout = kWide;
  made.ordering = ordering;
  return made;
}

// `count` ids by this operation; their sum keeps the compiler from leaving any out.
std::uint64_t issue(const std::string& operation, std::size_t count) {
  std::uint64_t sum = 0;
  const bool reserves = operation == "next_id_per_thread";
  Generator generator(options(reserves ? polyflake::Ordering::per_thread : polyflake::Ordering::strict));
  g_step_ns = 2'000;
  if (operation == "next_id" || reserves) {
    for (std::size_t i = 0; i < count; ++i) sum += generator.next_id();
  } else if (operation == "try_next_id") {
    for (std::size_t i = 0; i < count; ++i) sum += generator.try_next_id().value();
  } else if (operation == "fill") {
    std::vector<std::uint64_t> ids(kBatch);
    for (std::size_t i = 0; i < count; i += kBatch) {
      generator.fill(ids.data(), kBatch);
      sum += ids.back();
    }
  } else {
    std::fprintf(stderr, "there is no operation %s\n", operation.c_str());
    std::exit(2);
  }
  return sum;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) {
    std::fprintf(stderr, "usage: polyflake_instructions OPERATION COUNT\n");
    return 2;
  }
  std::printf("%llu\n", static_cast<unsigned long long>(issue(arguments[1], std::stoul(arguments[2]))));
}
