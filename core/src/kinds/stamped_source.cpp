#include <polyflake/detail/stamped_source.hpp>

#include <polyflake/detail/execution.hpp>

#include <algorithm>
#include <cstring>
#include <utility>

#include "kinds/random_words.hpp"

namespace polyflake {

template <class Value>
StampedSource<Value>::StampedSource(std::unique_ptr<Generator> positions, std::unique_ptr<RandomWords> words,
                                    std::size_t words_per_id)
    : words_(std::move(words)), positions_(std::move(positions)), words_per_id_(words_per_id) {}

template <class Value>
StampedSource<Value>::~StampedSource() = default;

template <class Value>
void StampedSource<Value>::expect(std::size_t n) const {
  words_->expect(n * words_per_id_);
}

template <class Value>
bool StampedSource<Value>::spread(const std::uint64_t* claimed, std::size_t n, Value* ids, std::uint64_t execution) {
  // The last question: whatever a copy of the process has from before belongs to the original.
  return spread(claimed, n, ids) && Execution::word().load(std::memory_order_relaxed) == execution;
}

template <class Value>
Value StampedSource<Value>::next_id() {
  Value id;
  for (;;) {
    const std::uint64_t execution = Execution::current();
    expect(1);
    const std::uint64_t position = positions_->next_id();
    if (spread(&position, 1, &id, execution)) return id;
  }
}

template <class Value>
std::optional<Value> StampedSource<Value>::try_next_id() {
  Value id;
  for (;;) {
    const std::uint64_t execution = Execution::current();
    expect(1);
    const std::optional<std::uint64_t> position = positions_->try_next_id();
    if (!position) return std::nullopt;
    if (spread(&*position, 1, &id, execution)) return id;
  }
}

template <class Value>
void StampedSource<Value>::fill(Value* ids, std::size_t n) {
  constexpr std::size_t kPiece = 512;
  std::uint64_t positions[kPiece];
  std::uint64_t execution;
  expect(n);
  do {
    execution = Execution::current();
    for (std::size_t done = 0; done < n || n == 0;) {
      const std::size_t now = std::min(n - done, kPiece);
      positions_->fill(positions, now);
      if (n == 0) return;  // it only had to say whether it is open
      if (!spread(positions, now, ids + done, execution)) break;
      done += now;
    }
    // In a copy of the process, made by a signal handler on the way, all of it belongs to the original.
  } while (Execution::current() != execution);
}

template <class Value>
std::vector<Value> StampedSource<Value>::next_ids(std::size_t n) {
  std::vector<Value> ids(n);
  fill(ids.data(), n);
  return ids;
}

template <class Value>
std::string StampedSource<Value>::next_id_string() {
  return next_id().text();
}

template <class Value>
std::size_t StampedSource<Value>::id_bytes() const {
  return sizeof(Value);
}

template <class Value>
void StampedSource<Value>::fill_bytes(unsigned char* ids, std::size_t n) {
  static_assert(std::is_trivially_copyable_v<Value> && alignof(Value) == 1, "ids lie in any bytes");
  fill(reinterpret_cast<Value*>(ids), n);
}

template <class Value>
void StampedSource<Value>::close() noexcept {
  positions_->close();
}

template <class Value>
bool StampedSource<Value>::closed() const noexcept {
  return positions_->closed();
}

template <class Value>
Stats StampedSource<Value>::stats() const {
  return positions_->stats();
}

template <class Value>
GeneratorState StampedSource<Value>::state() const noexcept {
  return positions_->state();
}

template class StampedSource<Uuid>;
template class StampedSource<ObjectId>;

}  // namespace polyflake
