#include "base/closest.hpp"

#include <algorithm>
#include <numeric>

#include "base/ascii.hpp"

namespace polyflake {
namespace {

constexpr std::size_t kFarthest = 2, kShortestBeginning = 3, kLongest = 64;

std::size_t distance(std::string_view a, std::string_view b) {
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

std::size_t distance_of_names(const std::string& given, const std::string& known) {
  const bool begins = given.size() >= kShortestBeginning && known.compare(0, given.size(), given) == 0;
  return begins ? std::min<std::size_t>(known.size() - given.size(), 1) : distance(given, known);
}

}  // namespace

std::string plain_name(std::string_view name) {
  std::string letters = ascii::lower(name);
  letters.erase(std::remove_if(letters.begin(), letters.end(), [](char c) { return c == '_' || c == '-'; }),
                letters.end());
  return letters;
}

std::string closest(std::string_view given, const std::vector<std::string>& known) {
  const std::string plain = plain_name(given.substr(0, kLongest));
  std::string best;
  std::size_t least = kFarthest + 1;
  for (const std::string& name : known) {
    const std::size_t letters = distance_of_names(plain, plain_name(name));
    if (letters >= least) continue;
    least = letters;
    best = name;
  }
  return best;
}

}  // namespace polyflake
