#include <polyflake/detail/execution.hpp>

#include <new>

#if !defined(_WIN32)
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace polyflake {
namespace {

struct Page {
  std::atomic<std::uint64_t> execution;
  std::atomic<void*> slot;
};

std::atomic<Page*> g_page{nullptr};

// Ordinary memory, so a copy inherits it and counts on from there.
std::atomic<std::uint64_t> g_executions{0};

#if defined(_WIN32)

Page* make_page() { return new Page{}; }  // no fork
void drop_page(Page* page) { delete page; }

#else

void wipe() {
  Page* page = g_page.load(std::memory_order_acquire);
  if (page == nullptr) return;
  page->execution.store(0, std::memory_order_release);
  page->slot.store(nullptr, std::memory_order_release);
}

std::size_t page_size() { return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)); }

bool kernel_wipes([[maybe_unused]] void* memory) {
#if defined(MADV_WIPEONFORK) && !defined(POLYFLAKE_NO_WIPEONFORK)
  // Emulators that accept any advice (QEMU's user mode before 7.0) do not follow it either.
  constexpr int kNoAdvice = -1;
  if (::madvise(memory, page_size(), kNoAdvice) == 0) return false;
  return ::madvise(memory, page_size(), MADV_WIPEONFORK) == 0;
#else
  return false;
#endif
}

Page* make_page() {
  void* memory = ::mmap(nullptr, page_size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  if (!kernel_wipes(memory) && ::pthread_atfork(nullptr, nullptr, wipe) != 0) {
    ::munmap(memory, page_size());
    throw std::bad_alloc();
  }
  return new (memory) Page{};
}

void drop_page(Page* page) { ::munmap(page, page_size()); }

#endif

Page& page() {
  Page* present = g_page.load(std::memory_order_acquire);
  if (present != nullptr) return *present;
  Page* made = make_page();
  if (g_page.compare_exchange_strong(present, made, std::memory_order_acq_rel)) return *made;
  drop_page(made);  // another thread was first
  return *present;
}

}  // namespace

std::uint64_t Execution::current() {
  std::atomic<std::uint64_t>& number = page().execution;
  std::uint64_t present = number.load(std::memory_order_acquire);
  if (present != 0) return present;
  const std::uint64_t next = g_executions.fetch_add(1, std::memory_order_relaxed) + 1;
  // Acquire-release, as threads of a fresh copy may race to number it; all take the winner's number.
  return number.compare_exchange_strong(present, next, std::memory_order_acq_rel) ? next : present;
}

const std::atomic<std::uint64_t>& Execution::word() { return page().execution; }

std::atomic<void*>& Execution::slot() { return page().slot; }

}  // namespace polyflake
