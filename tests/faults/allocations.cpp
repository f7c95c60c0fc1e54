#include "allocations.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace polyflake::test {
namespace {

std::atomic<bool> g_counting{false};
std::atomic<long> g_asked{0}, g_refused{0};

void* allocate(std::size_t size, std::size_t alignment) noexcept {
  if (g_counting && ++g_asked == g_refused) return nullptr;
  if (alignment <= alignof(std::max_align_t)) return std::malloc(std::max<std::size_t>(size, 1));
  return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

void* allocate_or_throw(std::size_t size, std::size_t alignment) {
  void* const memory = allocate(size, alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void fail_allocation(long n) {
  g_asked = 0;
  g_refused = n;
  g_counting = true;
}

long allocations_made() {
  g_counting = false;
  return g_asked;
}

}  // namespace polyflake::test

using polyflake::test::allocate;
using polyflake::test::allocate_or_throw;

void* operator new(std::size_t size) { return allocate_or_throw(size, 1); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size, 1); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate_or_throw(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
