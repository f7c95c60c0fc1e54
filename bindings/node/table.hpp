// Objects that JavaScript refers to by a small number.
//
// A number is checked at every use, so a wrong or stale one is an error and never a wild pointer.
// It is also the cheapest argument of a native call. One table belongs to one environment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace polyflake::node {

template <typename T>
class Table {
 public:
  std::uint32_t add(std::unique_ptr<T> object) {
    if (free_.empty()) {
      if (objects_.size() == objects_.capacity()) objects_.reserve(2 * objects_.size() + 8);
      free_.reserve(objects_.capacity());  // so that remove() cannot fail
      objects_.push_back(std::move(object));
      return static_cast<std::uint32_t>(objects_.size() - 1);
    }
    const std::uint32_t index = free_.back();
    free_.pop_back();
    objects_[index] = std::move(object);
    return index;
  }

  // Returns null for a number without an object. The object found last is kept: asking for it again
  // is a comparison, which the processor predicts, without a chain of loads before the id.
  T* find(std::uint32_t index) noexcept { return index == last_index_ ? last_ : look_up(index); }

  void remove(std::uint32_t index) noexcept {
    if (find(index) == nullptr) return;
    last_index_ = kNone;
    last_ = nullptr;  // kNone refers to no object either
    objects_[index].reset();
    free_.push_back(index);
  }

 private:
  // Never an index: there is no room for so many objects.
  static constexpr std::uint32_t kNone = 0xffffffff;

  [[gnu::noinline]] T* look_up(std::uint32_t index) noexcept {
    if (index >= objects_.size() || objects_[index] == nullptr) return nullptr;
    last_index_ = index;
    return last_ = objects_[index].get();
  }

  std::uint32_t last_index_ = kNone;
  T* last_ = nullptr;
  std::vector<std::unique_ptr<T>> objects_;
  std::vector<std::uint32_t> free_;
};

}  // namespace polyflake::node
