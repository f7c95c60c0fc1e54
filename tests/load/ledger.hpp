// The ledger: all ids of a run, none of which may come twice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace polyflake::load {

class Ledger {
 public:
  // Takes the ids of one reply. largest: of the replies before on the same connection; 0 at first,
  // since no id is 0.
  void add(const std::vector<std::uint64_t>& ids, std::uint64_t& largest);

  std::size_t size() const { return ids_.size(); }
  // Returns how many ids were not above the one before on their connection.
  std::size_t not_rising() const { return not_rising_; }
  // Returns how many ids are equal to another one. Sorts: the ledger takes no ids afterwards.
  std::size_t count_duplicates();
  // Return the smallest and the largest id. Requires: count_duplicates() was called; there is one.
  std::uint64_t smallest() const { return ids_.front(); }
  std::uint64_t largest() const { return ids_.back(); }

 private:
  std::vector<std::uint64_t> ids_;
  std::size_t not_rising_ = 0;
};

}  // namespace polyflake::load
