#include "access/rate.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace polyflake::server {
namespace {

constexpr double kRounding = 1e-6;  // of an id: more than sums of fractions are wrong by

}  // namespace

Rate::Rate(std::string token, NowNs now_ns) : token_(std::move(token)), now_ns_(now_ns), at_ns_(now_ns()) {}

void Rate::set(std::int64_t ids_per_second) {
  refill();  // the time until now, at the rate of that time
  ids_per_second_ = ids_per_second;
}

void Rate::refill() {
  const std::int64_t now_ns = now_ns_();
  const double seconds = static_cast<double>(now_ns - at_ns_) / 1e9;
  taken_ = std::max(0.0, taken_ - seconds * static_cast<double>(ids_per_second_));
  at_ns_ = now_ns;
}

std::optional<Refusal> Rate::take(std::uint32_t ids) {
  if (!is_limited()) return std::nullopt;
  refill();
  // A batch that does not fit into the bucket needs a full one.
  const double missing = taken_ + std::min(ids - static_cast<double>(ids_per_second_), 0.0);
  if (missing > kRounding) return refusal_of(missing);
  taken_ += ids;
  return std::nullopt;
}

void Rate::give_back(std::uint32_t ids) { taken_ -= ids; }  // refill() ends at 0

Refusal Rate::refusal_of(double missing) const {
  const double seconds = missing / static_cast<double>(ids_per_second_);
  Refusal refusal = busy("the token '" + token_ + "' may take " + std::to_string(ids_per_second_) +
                         " ids a second, its rate, and has taken them; try again in " +
                         std::to_string(static_cast<std::int64_t>(std::ceil(seconds * 1000))) + " ms");
  refusal.retry_after_s = static_cast<std::int64_t>(std::ceil(seconds));
  return refusal;
}

}  // namespace polyflake::server
