#include <polyflake/detail/stamped_source.hpp>

#include <algorithm>
#include <type_traits>
#include <utility>

namespace polyflake {

Spelling::~Spelling() = default;

namespace {

template <class Value>
unsigned char* bytes_of(Value* ids) {
  static_assert(std::is_trivially_copyable_v<Value> && alignof(Value) == 1, "ids lie in any bytes");
  return reinterpret_cast<unsigned char*>(ids);
}

}  // namespace

template <class Value>
StampedSource<Value>::StampedSource(std::unique_ptr<Spelling> spelling)
    : spelling_(std::move(spelling)), positions_(spelling_->open()) {}

template <class Value>
StampedSource<Value>::~StampedSource() = default;

template <class Value>
Value StampedSource<Value>::next_id() {
  Value id;
  std::uint64_t execution;
  bool spelled;
  do {
    execution = present();
    spelling_->expect(1);
    const std::uint64_t position = positions_.next_id();
    spelled = spelling_->spell(positions_, &position, 1, bytes_of(&id));
    // The last question: whatever a copy of the process has from before belongs to the original.
  } while (!spelled || present() != execution);
  return id;
}

template <class Value>
std::optional<Value> StampedSource<Value>::try_next_id() {
  Value id;
  std::uint64_t execution;
  bool spelled;
  do {
    execution = present();
    spelling_->expect(1);
    const std::optional<std::uint64_t> position = positions_.try_next_id();
    if (!position) return std::nullopt;
    spelled = spelling_->spell(positions_, &*position, 1, bytes_of(&id));
  } while (!spelled || present() != execution);
  return id;
}

template <class Value>
void StampedSource<Value>::fill(Value* ids, std::size_t n) {
  constexpr std::size_t kPiece = 512;
  std::uint64_t positions[kPiece];
  std::uint64_t execution;
  bool spelled;
  spelling_->expect(n);
  do {
    execution = present();
    spelled = true;
    for (std::size_t done = 0; spelled && done < n; done += kPiece) {
      const std::size_t now = std::min(n - done, kPiece);
      positions_.fill(positions, now);
      spelled = spelling_->spell(positions_, positions, now, bytes_of(ids + done));
    }
  } while (!spelled || present() != execution);
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
  fill(reinterpret_cast<Value*>(ids), n);
}

template <class Value>
void StampedSource<Value>::close() noexcept {
  positions_.close();
}

template <class Value>
bool StampedSource<Value>::closed() const noexcept {
  return positions_.closed();
}

template <class Value>
Stats StampedSource<Value>::stats() const {
  return positions_.stats();
}

template <class Value>
GeneratorState StampedSource<Value>::state() const noexcept {
  return positions_.state();
}

template class StampedSource<Uuid>;
template class StampedSource<ObjectId>;

}  // namespace polyflake
