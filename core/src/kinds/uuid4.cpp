#include <polyflake/uuid4.hpp>

#include <polyflake/error.hpp>

#include <algorithm>

#include "kinds/kind.hpp"
#include "kinds/random_words.hpp"

namespace polyflake {
namespace {

constexpr auto relaxed = std::memory_order_relaxed;

Uuid uuid_of(std::uint64_t high, std::uint64_t low) {
  constexpr std::uint64_t kVersion = 0xf000, kVersion4 = 0x4000, kVariant = 0b11, kRfc = 0b10;
  return Uuid::of((high & ~kVersion) | kVersion4, (low & ~(kVariant << 62)) | kRfc << 62);
}

std::unique_ptr<IdSource> open_uuid4(KindOptions& options) {
  Uuid4Options typed;
  typed.clock = options.take_clock("clock");
  typed.entropy = options.take_text("entropy");
  options.refuse_the_rest("uuid4");
  return std::make_unique<Uuid4>(typed);
}

}  // namespace

Uuid4::Uuid4(const Uuid4Options& options)
    : words_(std::make_unique<RandomWords>(options.entropy, options.clock != nullptr)) {}

Uuid4::~Uuid4() = default;

// Takes word by word: read together from an array, two words that were just written one by one
// would be waited for.
Uuid Uuid4::next_id() {
  expect(1);
  Uuid id;
  one_execution_.run([&] {
    const std::uint64_t high = words_->next();
    id = uuid_of(high, words_->next());
    issued_.fetch_add(1, relaxed);
    return true;
  });
  return id;
}

void Uuid4::fill(Uuid* ids, std::size_t n) {
  if (n == 1) {
    *ids = next_id();
    return;
  }
  expect(n);
  constexpr std::size_t kPiece = 256;
  std::uint64_t words[2 * kPiece];
  one_execution_.run([&] {
    for (std::size_t done = 0; done < n; done += kPiece) {
      const std::size_t now = std::min(n - done, kPiece);
      words_->fill(words, 2 * now);
      for (std::size_t i = 0; i < now; ++i) ids[done + i] = uuid_of(words[2 * i], words[2 * i + 1]);
    }
    issued_.fetch_add(n, relaxed);
    return true;
  });
}

void Uuid4::expect(std::size_t n) const {
  if (closed()) throw Error(ErrorCode::generator_closed, "this source was closed; open a new one");
  words_->expect(2 * n);
}

std::vector<Uuid> Uuid4::next_ids(std::size_t n) {
  std::vector<Uuid> ids(n);
  fill(ids.data(), n);
  return ids;
}

std::string Uuid4::next_id_string() { return next_id().text(); }

void Uuid4::fill_bytes(unsigned char* ids, std::size_t n) { fill(reinterpret_cast<Uuid*>(ids), n); }

void Uuid4::close() noexcept { closed_.store(true, relaxed); }

bool Uuid4::closed() const noexcept { return closed_.load(relaxed); }

Stats Uuid4::stats() const {
  Stats stats{};
  stats.issued = issued_.load(relaxed);
  return stats;
}

constexpr Kind kind::uuid4{"uuid4", form_of<Uuid>(), open_uuid4};

}  // namespace polyflake
