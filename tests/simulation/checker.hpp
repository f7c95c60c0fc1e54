// Every id of a schedule: none twice, and those of one generator in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace polyflake::simulation {

class Checker {
 public:
  // False where the id was issued before.
  bool add(std::uint64_t id) {
    if (2 * (count_ + 1) > slots_.size()) grow();
    const bool is_new = insert(id);
    if (is_new) ++count_;
    return is_new;
  }
  std::size_t count() const { return count_; }
  void clear() {
    slots_.assign(slots_.size(), 0);
    count_ = 0;
  }

 private:
  bool insert(std::uint64_t id) {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t i = (id * 0x9E3779B97F4A7C15) >> 40 & mask;; i = (i + 1) & mask) {
      if (slots_[i] == id) return false;
      if (slots_[i] != 0) continue;
      slots_[i] = id;
      return true;
    }
  }
  void grow() {
    std::vector<std::uint64_t> former(slots_.size() * 2, 0);
    former.swap(slots_);
    for (const std::uint64_t id : former) {
      if (id != 0) insert(id);
    }
  }

  std::vector<std::uint64_t> slots_ = std::vector<std::uint64_t>(4096, 0);  // 0: free; no id is 0
  std::size_t count_ = 0;
};

}  // namespace polyflake::simulation
