// The random bits of kinds begin with a new seed of the operating system after each MiB, so a key that leaked foretells no
// later bits.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "kinds/entropy.hpp"
#include "system_calls.hpp"

namespace polyflake::test {
namespace {

std::atomic<int> g_seeds{0};

int count_seeds(const Call& call) {
  g_seeds += is(call, "getrandom");
  return 0;
}

constexpr std::size_t kWordsPerMiB = (std::size_t{1} << 20) / sizeof(std::uint64_t);
constexpr int kMiB = 4;

// In a thread of its own, which begins with a seed.
template <class RandomKey>
int seeds_in(const RandomKey& draw) {
  g_seeds = 0;
  on_calls(count_seeds);
  std::thread(draw).join();
  on_calls(nullptr);
  return g_seeds;
}

TEST(Seeds, are_new_after_each_mib_of_single_words) {
  const int seeds = seeds_in([] {
    for (std::size_t i = 0; i < kMiB * kWordsPerMiB; ++i) entropy::bits();
  });
  EXPECT_GE(seeds, kMiB);
  EXPECT_LE(seeds, kMiB + 1);
}

TEST(Seeds, are_new_after_each_mib_in_one_piece) {
  std::vector<std::uint64_t> words(kMiB * kWordsPerMiB);
  EXPECT_EQ(seeds_in([&] { entropy::fill(words.data(), words.size()); }), kMiB);
}

TEST(Seeds, are_new_after_each_mib_of_pieces) {
  std::vector<std::uint64_t> words(kWordsPerMiB / 16);
  const int seeds = seeds_in([&] {
    for (int i = 0; i < 16 * kMiB; ++i) entropy::fill(words.data(), words.size());
  });
  EXPECT_GE(seeds, kMiB);
  EXPECT_LE(seeds, kMiB + 1);
}

}  // namespace
}  // namespace polyflake::test
