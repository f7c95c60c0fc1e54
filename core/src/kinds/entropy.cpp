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

// Relaxed: only the thread itself and its signal handlers see a page.
constexpr auto relaxed = std::memory_order_relaxed;

// Orders accesses of the thread and its signal handlers: only the compiler could reorder them.
void in_order() { std::atomic_signal_fence(std::memory_order_seq_cst); }

constexpr std::size_t kMostPerSeed = std::size_t{1} << 20;  // bytes
constexpr std::uint32_t kEnd = 502;                         // words after the next seed

// Key and counter of a stream.
struct Seed {
  std::array<std::uint8_t, 48> bytes;

  const std::uint8_t* key() const { return bytes.data(); }
  const std::uint8_t* counter() const { return bytes.data() + 32; }
};

// Lies in memory that copies of the process find zeroed.
struct Page {
  std::uint64_t execution;  // the one that wrote it
  std::atomic<bool> busy;   // a call of this thread uses it: a signal handler leaves it alone
  std::atomic<std::uint32_t> next;
  std::size_t given;  // bytes since the last seed
  Seed seed;
  std::uint64_t words[kEnd];

  void refill();
};
static_assert(sizeof(Page) <= 4096);

struct Stream {
  Seed seed;
  std::array<std::uint64_t, kEnd> words;
};
static_assert(sizeof(Stream) % 16 == 0, "whole blocks");

void Page::refill() {
  const std::uint64_t current = Execution::current();
  next.store(kEnd, relaxed);  // nothing is left if this fails
  if (execution != current || given >= kMostPerSeed) {
    platform::random_bytes(seed.bytes.data(), seed.bytes.size());
    given = 0;
  }
  Stream stream;
  aes_256_ctr(seed.key(), seed.counter(), reinterpret_cast<std::uint8_t*>(&stream), sizeof stream);
  seed = stream.seed;
  std::copy(stream.words.begin(), stream.words.end(), words);
  wipe(&stream, sizeof stream);
  given += sizeof stream;
  // Set last: until here a copy of the process finds no words in it.
  in_order();
  execution = current;
  next.store(0, relaxed);
}

// The state of a thread. A destructor would make every access check its registration. So would, by
// Clang, an initialization that is not a constant, such as none.
struct ThreadPage {
  Page* page;
  const std::atomic<std::uint64_t>* execution_word;  // the number of the execution
  bool over;                                         // the thread is ending
};
thread_local ThreadPage t_page{};

// Frees the page when the thread ends.
struct AtEnd {
  ~AtEnd() {
    t_page.over = true;
    in_order();
    if (Page* const page = std::exchange(t_page.page, nullptr)) {
      wipe(page, sizeof *page);
      platform::drop_page(page);
    }
  }
  void begin() {}
};
thread_local AtEnd t_at_end;

std::uint64_t bits_of_the_system() {
  std::uint64_t word;
  platform::random_bytes(&word, sizeof word);
  return word;
}

// Keeps signal handlers from the page. Needs no exchange: handlers run on this very thread, and
// restore what they change.
class Hold {
 public:
  explicit Hold(Page& page) : page_(page), had_(page.busy.load(relaxed)) {
    page_.busy.store(true, relaxed);
    in_order();
  }
  ~Hold() {
    in_order();
    page_.busy.store(had_, relaxed);
  }
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;

  // Returns false inside of another call of this thread.
  explicit operator bool() const { return !had_; }

 private:
  Page& page_;
  const bool had_;
};

// Returns a random word. Returns 0 if the page has none: used up, or of another execution.
std::uint64_t take(const ThreadPage& own, Page& page) {
  const std::uint32_t next = page.next.load(relaxed);
  if (next >= kEnd || page.execution != own.execution_word->load(relaxed)) return 0;
  page.next.store(next + 1, relaxed);
  return std::exchange(page.words[next], 0);
}

void make_page(ThreadPage& own) {
  t_at_end.begin();  // from here on the end of the thread is noticed
  void* const memory = platform::make_wiped_page(nullptr);
  if (own.page != nullptr) return platform::drop_page(memory);  // a handler was first
  own.execution_word = &Execution::word();
  in_order();
  own.page = new (memory) Page{};
}

// Not inlined, so that the fast path saves no registers for it.
[[gnu::noinline]] std::uint64_t bits_slowly() {
  ThreadPage& own = t_page;
  if (own.over) return bits_of_the_system();
  if (own.page == nullptr) make_page(own);
  Page& page = *own.page;
  const Hold hold(page);
  if (!hold) return bits_of_the_system();
  for (;;) {
    if (const std::uint64_t word = take(own, page)) return word;
    if (page.next.load(relaxed) >= kEnd || page.execution != Execution::current()) page.refill();
  }
}

// Counts the output of a fill()'s own stream as the page's: both come from one seed.
void count(std::size_t bytes) {
  Page* const page = t_page.page;
  if (page == nullptr) return;
  page->given += bytes;
  if (page->given >= kMostPerSeed) page->next.store(kEnd, relaxed);  // then a new seed
}

}  // namespace

std::uint64_t bits() {
  const ThreadPage& own = t_page;
  if (Page* const page = own.page) {
    const Hold hold(*page);
    if (hold) {
      if (const std::uint64_t word = take(own, *page)) return word;
    }
  }
  return bits_slowly();
}

void fill(std::uint64_t* words, std::size_t n) {
  constexpr std::size_t kFew = 64;  // fewer are not worth a stream of their own
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
    count(now * sizeof *words);
    words += now;
    n -= now;
  }
  for (std::size_t i = 0; i < n; ++i) words[i] = bits();
}

}  // namespace polyflake::entropy
