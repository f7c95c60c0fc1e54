#include "os/posix_descriptor.hpp"

#include <polyflake/detail/execution.hpp>

#include <cerrno>

#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

namespace polyflake {

// Never freed, so that a handler can walk the list at any moment.
struct Descriptor::Entry {
  static constexpr int kFree = -1;
  static constexpr int kReserved = -2;

  // Release and acquire: a thread that sees the number sees the file's identity.
  std::atomic<int> fd{kReserved};
  std::atomic<std::uint64_t> device{0};
  std::atomic<std::uint64_t> inode{0};
  std::atomic<std::uint64_t> execution{0};
  Entry* next = nullptr;

  bool is_still(int number) const noexcept {
    struct stat found;
    return number >= 0 && ::fstat(number, &found) == 0 && found.st_dev == device.load(std::memory_order_relaxed) &&
           found.st_ino == inode.load(std::memory_order_relaxed);
  }

  static std::atomic<Entry*> all;
};

std::atomic<Descriptor::Entry*> Descriptor::Entry::all{nullptr};

namespace {

// Counts of forks begun and ended. They differ while a fork is under way, and in a copy until it
// has closed what it inherited.
std::atomic<std::uint64_t> g_forks_begun{0};
std::atomic<std::uint64_t> g_forks_ended{0};

void before_fork() { g_forks_begun.fetch_add(1); }
void after_fork_in_parent() { g_forks_ended.fetch_add(1); }
void after_fork_in_child() {
  g_forks_ended.store(g_forks_begun.load());
  constexpr std::uint64_t kNone = 0;
  // No execution: nothing was opened here yet, and other handlers may not have set the execution's
  // number.
  Descriptor::close_all_but(kNone);
}

// Registered at load, not at first use: a fork could inherit the half-taken guard of a first use.
[[maybe_unused]] const int g_handlers = ::pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);

}  // namespace

Descriptor::Entry& Descriptor::reserve_entry() {
  for (Entry* entry = Entry::all.load(std::memory_order_acquire); entry != nullptr; entry = entry->next) {
    int expected = Entry::kFree;
    if (entry->fd.compare_exchange_strong(expected, Entry::kReserved, std::memory_order_acq_rel)) return *entry;
  }
  auto* const made = new Entry;
  made->next = Entry::all.load(std::memory_order_relaxed);
  while (!Entry::all.compare_exchange_weak(made->next, made, std::memory_order_acq_rel)) {
  }
  return *made;
}

Descriptor::Descriptor() : entry_(reserve_entry()), execution_(Execution::current()) {}

bool Descriptor::hold(int fd) noexcept {
  struct stat opened;
  if (::fstat(fd, &opened) != 0) {
    const int error = errno;
    ::close(fd);
    errno = error;
    return false;
  }
  entry_.device.store(opened.st_dev, std::memory_order_relaxed);
  entry_.inode.store(opened.st_ino, std::memory_order_relaxed);
  entry_.execution.store(execution_, std::memory_order_relaxed);
  entry_.fd.store(fd, std::memory_order_release);
  return true;
}

int Descriptor::number() const noexcept { return entry_.fd.load(std::memory_order_acquire); }

bool Descriptor::ours() const noexcept { return entry_.is_still(number()); }

bool Descriptor::is(std::uint64_t device, std::uint64_t inode) const noexcept {
  return entry_.device.load(std::memory_order_relaxed) == device &&
         entry_.inode.load(std::memory_order_relaxed) == inode;
}

void Descriptor::close() noexcept {
  // In a copy of the process the entry may now belong to another file.
  if (Execution::current() != execution_) return;
  if (closes_ && ours()) ::close(number());
  entry_.fd.store(Entry::kFree, std::memory_order_release);
}

void Descriptor::close_inherited() noexcept {
  // If no handler saw this copy, another of its threads may have opened a file of its own by now.
  if (Entry::all.load(std::memory_order_acquire) != nullptr) close_all_but(Execution::current());
}

void Descriptor::close_all_but(std::uint64_t execution) noexcept {
  for (Entry* entry = Entry::all.load(std::memory_order_acquire); entry != nullptr; entry = entry->next) {
    const int fd = entry->fd.load(std::memory_order_acquire);
    if (fd < 0 || entry->execution.load(std::memory_order_relaxed) == execution) continue;
    if (entry->is_still(fd)) ::close(fd);
    entry->fd.store(Entry::kFree, std::memory_order_release);
  }
}

ForkWatch::ForkWatch() noexcept : ended_(g_forks_ended.load()) {}

bool ForkWatch::undisturbed() const noexcept { return g_forks_begun.load() == ended_; }

}  // namespace polyflake
