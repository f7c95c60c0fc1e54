#include "kinds/entropy.hpp"

#include <polyflake/detail/execution.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <new>
#include <utility>

#include "base/wipe.hpp"
#include "bits/aes.hpp"
#include "os/os.hpp"

namespace polyflake::entropy {
namespace {

constexpr auto relaxed = std::memory_order_relaxed;  // only the thread itself and its signal handlers see a page

constexpr std::size_t kMostPerSeed = std::size_t{1} << 20;  // bytes
constexpr std::uint32_t kEnd = 502;  // words behind the next seed

// Key and counter of a stream.
struct Seed {
  std::array<std::uint8_t, 48> bytes;

  const std::uint8_t* key() const { return bytes.data(); }
  const std::uint8_t* counter() const { return bytes.data() + 32; }
};

// In memory that copies of the process find zeroed.
struct Page {
  std::uint64_t execution;  // that wrote it
  std::atomic<std::uint32_t> next;
  std::atomic<bool> refilling;
  std::size_t given;  // bytes since the last seed
  Seed seed;
  std::atomic<std::uint64_t> words[kEnd];

  void refill();
};
static_assert(sizeof(Page) <= 4096);

struct Stream {
  Seed seed;
  std::array<std::uint64_t, kEnd> words;
};
static_assert(sizeof(Stream) % 16 == 0, "whole blocks");

void Page::refill() {
  refilling.store(true, relaxed);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  struct Done {
    Page& page;
    ~Done() {
      std::atomic_signal_fence(std::memory_order_seq_cst);
      page.refilling.store(false, relaxed);
    }
  } const done{*this};
  const std::uint64_t present = Execution::current();
  if (execution != present || given >= kMostPerSeed) {
    next.store(kEnd, relaxed);
    platform::random_bytes(seed.bytes.data(), seed.bytes.size());
    given = 0;
  }
  Stream stream;
  aes_256_ctr(seed.key(), seed.counter(), reinterpret_cast<std::uint8_t*>(&stream), sizeof stream);
  seed = stream.seed;
  for (std::uint32_t i = 0; i < kEnd; ++i) words[i].store(stream.words[i], relaxed);
  wipe(&stream, sizeof stream);
  given += sizeof stream;
  // Last: until here a copy of the process, or a handler, finds nothing in it.
  execution = present;
  next.store(0, relaxed);
}

// The page of a thread, gone with it.
struct Owned {
  Page* page = nullptr;
  bool over = false;

  ~Owned() {
    over = true;
    if (page == nullptr) return;
    wipe(page, sizeof *page);
    platform::drop_page(std::exchange(page, nullptr));
  }
};
thread_local Owned t_owned;

std::uint64_t bits_of_the_system() {
  std::uint64_t word;
  platform::random_bytes(&word, sizeof word);
  return word;
}

// 0 where it has none: used up, of another execution, or taken by a handler on the way.
std::uint64_t take(Page& page) {
  const std::uint32_t next = page.next.load(relaxed);
  if (next >= kEnd || page.execution != Execution::word().load(relaxed)) return 0;
  // An exchange, so that a signal handler that comes at any instruction takes another word, or this one takes another.
  const std::uint64_t word = page.words[next].exchange(0, relaxed);
  page.next.store(next + 1, relaxed);
  return word;
}

std::uint64_t bits_slowly() {
  Owned& owned = t_owned;
  if (owned.page == nullptr) {
    if (owned.over) return bits_of_the_system();  // the thread is ending
    void* const memory = platform::make_wiped_page(nullptr);
    if (owned.page == nullptr) {
      owned.page = new (memory) Page{};
    } else {
      platform::drop_page(memory);  // a handler was first
    }
  }
  for (;;) {
    if (owned.page->refilling.load(relaxed)) return bits_of_the_system();  // by the call that this handler interrupted
    if (const std::uint64_t word = take(*owned.page)) return word;
    if (owned.page->next.load(relaxed) >= kEnd || owned.page->execution != Execution::current()) owned.page->refill();
  }
}

}  // namespace

std::uint64_t bits() {
  if (Page* const page = t_owned.page) {
    if (const std::uint64_t word = take(*page)) return word;
  }
  return bits_slowly();
}

void fill(std::uint64_t* words, std::size_t n) {
  constexpr std::size_t kFew = 64;  // a stream of their own has its price
  constexpr std::size_t kMost = kMostPerSeed / sizeof *words;
  while (n >= kFew) {
    const std::size_t now = std::min(n, kMost) & ~std::size_t{1};
    std::uint64_t own[6];
    static_assert(sizeof own == sizeof(Seed));
    for (std::uint64_t& word : own) word = bits();
    Seed seed;
    std::memcpy(seed.bytes.data(), own, sizeof own);
    aes_256_ctr(seed.key(), seed.counter(), reinterpret_cast<std::uint8_t*>(words), now * sizeof *words);
    wipe(own, sizeof own);
    wipe(&seed, sizeof seed);
    words += now;
    n -= now;
  }
  for (std::size_t i = 0; i < n; ++i) words[i] = bits();
}

}  // namespace polyflake::entropy
