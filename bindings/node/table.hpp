// Objects that JavaScript refers to by a small number.
//
// A number can be checked at every use, so a wrong or stale one is an error and never a wild pointer,
// and it is the cheapest argument a native call can take. One table belongs to one environment.
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

  // Null for a number that refers to nothing.
  T* find(std::uint32_t index) const noexcept { return index < objects_.size() ? objects_[index].get() : nullptr; }

  void remove(std::uint32_t index) noexcept {
    if (find(index) == nullptr) return;
    objects_[index].reset();
    free_.push_back(index);
  }

 private:
  std::vector<std::unique_ptr<T>> objects_;
  std::vector<std::uint32_t> free_;
};

}  // namespace polyflake::node
