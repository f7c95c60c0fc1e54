// The members of StampedSource, for the sources made of it. Each source knows its spelling, so that
// no call is virtual.
#pragma once

#include <polyflake/detail/always_inline.hpp>
#include <polyflake/stamped_source.hpp>

#include <algorithm>
#include <type_traits>
#include <utility>

#include "issue/node_provider.hpp"

namespace polyflake {

// The final class that spells this type of value.
template <class Value>
struct SpellingOf;

template <class Value>
auto& typed(const std::unique_ptr<Spelling>& spelling) {
  return static_cast<typename SpellingOf<Value>::Type&>(*spelling);
}

template <class Value>
unsigned char* bytes_of(Value* ids) {
  static_assert(std::is_trivially_copyable_v<Value> && alignof(Value) == 1, "ids lie in any bytes");
  return reinterpret_cast<unsigned char*>(ids);
}

template <class Value>
StampedSource<Value>::StampedSource(std::unique_ptr<Spelling> spelling)
    : spelling_(std::move(spelling)), positions_(spelling_->open()) {}

template <class Value>
StampedSource<Value>::~StampedSource() = default;

template <class Value>
Value StampedSource<Value>::next_id() {
  Value id;
  one_execution_.run([&]() POLYFLAKE_ALWAYS_INLINE {
    spelling_->expect(1);
    // RandomKey first, while the clock is being read: after the swap every instruction counts.
    const std::uint64_t drawn = typed<Value>(spelling_).random_key();
    return typed<Value>(spelling_).spell(positions_, positions_.next_id(), drawn, id);
  });
  return id;
}

template <class Value>
std::optional<Value> StampedSource<Value>::try_next_id() {
  std::optional<std::uint64_t> position;
  Value id;
  one_execution_.run([&] {
    spelling_->expect(1);
    position = positions_.try_next_id();
    return !position || typed<Value>(spelling_).spell(positions_, *position, typed<Value>(spelling_).random_key(), id);
  });
  return position ? std::optional<Value>(id) : std::nullopt;
}

template <class Value>
void StampedSource<Value>::fill(Value* ids, std::size_t n) {
  constexpr std::size_t kPiece = 1024;
  std::uint64_t positions[kPiece];
  spelling_->expect(n);
  one_execution_.run([&] {
    for (std::size_t done = 0; done < n; done += kPiece) {
      const std::size_t now = std::min(n - done, kPiece);
      positions_.fill(positions, now);
      if (!typed<Value>(spelling_).spell(positions_, positions, now, bytes_of(ids + done))) return false;
    }
    return true;
  });
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

}  // namespace polyflake
