#include "nearest_name.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace polyflake::server {
namespace {

constexpr std::size_t kMostChanges = 2, kLongestGiven = 64;

std::size_t changes_between(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string nearest_name(std::string_view given, const std::vector<std::string>& known) {
  std::string best;
  std::size_t least = kMostChanges + 1;
  for (const std::string& name : known) {
    const std::size_t changes = changes_between(given.substr(0, kLongestGiven), name);
    if (changes >= least) continue;
    least = changes;
    best = name;
  }
  return best;
}

}  // namespace polyflake::server
