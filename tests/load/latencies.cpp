#include "latencies.hpp"

#include <algorithm>
#include <cmath>

namespace polyflake::load {

double Latencies::at(double share) {
  const double rank = std::ceil(share * static_cast<double>(ms_.size()));
  const std::size_t index = std::clamp(static_cast<std::size_t>(rank), std::size_t{1}, ms_.size()) - 1;
  const auto place = ms_.begin() + static_cast<std::ptrdiff_t>(index);
  std::nth_element(ms_.begin(), place, ms_.end());
  return static_cast<double>(*place);
}

}  // namespace polyflake::load
