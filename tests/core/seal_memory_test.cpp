// What was made of a key is gone when its seal is: no memory that is given back has it.
#include <polyflake/seal.hpp>

#include <gtest/gtest.h>

#include <malloc.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <new>
#include <string_view>

#include "bits/aes.hpp"

namespace {

constexpr std::string_view kKey = "sixteen bytes...";
constexpr std::string_view kHex = "7369787465656e2062797465732e2e2e";

std::atomic<int> given_back_with_a_key{0};
std::atomic<void*> newest{nullptr};

bool has_a_key(void* memory) {
  const std::string_view bytes(static_cast<const char*>(memory), ::malloc_usable_size(memory));
  return bytes.find(kKey) != std::string_view::npos || bytes.find(kHex) != std::string_view::npos;
}

void give_back(void* memory) {
  if (memory != nullptr && has_a_key(memory)) ++given_back_with_a_key;
  std::free(memory);
}

}  // namespace

void* operator new(std::size_t size) {
  void* const memory = std::calloc(1, size);
  if (memory == nullptr) throw std::bad_alloc();
  newest = memory;
  return memory;
}

void operator delete(void* memory) noexcept { give_back(memory); }

void operator delete(void* memory, std::size_t) noexcept { give_back(memory); }

namespace polyflake {
namespace {

template <class Work>
int found_after(Work work) {
  given_back_with_a_key = 0;
  work();
  return given_back_with_a_key;
}

TEST(SealMemory, is_watched) {
  EXPECT_GT(found_after([] { const std::string copy = std::string(kKey) + std::string(kKey); }), 0);
}

TEST(SealMemory, has_no_key_when_the_last_copy_of_a_seal_is_gone) {
  const Aes living(kKey);
  if (!has_a_key(newest)) GTEST_SKIP() << "AES keeps its keys in a form here that is not known by its bytes";
  EXPECT_EQ(found_after([] {
              const Seal seal(kKey, {"order", 63, "k1"});
              const SealRing ring({seal, Seal(kKey, {"order"})});
              EXPECT_EQ(ring.decode(ring.encode(7)), 7U);
            }),
            0);
}

TEST(SealMemory, has_no_key_when_options_are_refused) {
  EXPECT_EQ(found_after([] { EXPECT_ANY_THROW(Seal(kKey, {"order", 62})); }), 0);
}

TEST(SealMemory, has_no_key_of_a_file) {
  const char* const path = "seal_memory_test.key";
  std::ofstream(path) << kHex;
  ASSERT_EQ(::chmod(path, 0600), 0);
  EXPECT_EQ(found_after([&] { Seal::from_file(path); }), 0);
  EXPECT_EQ(found_after([&] { EXPECT_ANY_THROW(Seal::from_file(path, {"", 62})); }), 0);
  std::ofstream(path) << kHex << " ";
  EXPECT_EQ(found_after([&] { EXPECT_ANY_THROW(Seal::from_file(path)); }), 0);
  EXPECT_EQ(std::remove(path), 0);
}

}  // namespace
}  // namespace polyflake
