#include <polyflake/detail/execution.hpp>

#include <new>

#include "os/os.hpp"

namespace polyflake {
namespace {

struct Page {
  std::atomic<std::uint64_t> execution;
  std::atomic<void*> slot;
};

std::atomic<Page*> g_page{nullptr};

// Ordinary memory: a copy of the process inherits it and counts on from there.
std::atomic<std::uint64_t> g_executions{0};

void wipe() {
  Page* page = g_page.load(std::memory_order_acquire);
  if (page == nullptr) return;
  page->execution.store(0, std::memory_order_release);
  page->slot.store(nullptr, std::memory_order_release);
}

Page& page() {
  Page* known = g_page.load(std::memory_order_acquire);
  if (known != nullptr) return *known;
  Page* made = new (platform::make_wiped_page(wipe)) Page{};
  if (g_page.compare_exchange_strong(known, made, std::memory_order_acq_rel)) return *made;
  platform::drop_page(made);  // another thread was first
  return *known;
}

}  // namespace

std::uint64_t Execution::current() {
  std::atomic<std::uint64_t>& number = page().execution;
  std::uint64_t known = number.load(std::memory_order_acquire);
  if (known != 0) return known;
  const std::uint64_t next = g_executions.fetch_add(1, std::memory_order_relaxed) + 1;
  // Acquire-release: threads of a new copy may race to number it, and all take the winner's number.
  return number.compare_exchange_strong(known, next, std::memory_order_acq_rel) ? next : known;
}

const std::atomic<std::uint64_t>& Execution::word() { return page().execution; }

std::atomic<void*>& Execution::slot() { return page().slot; }

}  // namespace polyflake
