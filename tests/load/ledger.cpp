#include "ledger.hpp"

#include <algorithm>

namespace polyflake::load {

void Ledger::add(const std::vector<std::uint64_t>& ids, std::uint64_t& largest) {
  for (const std::uint64_t id : ids) {
    if (id <= largest) ++not_rising_;
    largest = std::max(largest, id);
    ids_.push_back(id);
  }
}

std::size_t Ledger::count_duplicates() {
  if (!std::is_sorted(ids_.begin(), ids_.end())) std::sort(ids_.begin(), ids_.end());
  std::size_t found = 0;
  for (std::size_t i = 1; i < ids_.size(); ++i) found += ids_[i] == ids_[i - 1] ? 1 : 0;
  return found;
}

}  // namespace polyflake::load
