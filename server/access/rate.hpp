// The rate of a token: how many ids a second its holders may take together.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ids/refusal.hpp"

namespace polyflake::server {

// A bucket of one second's ids. A batch that is larger than the bucket is given if the bucket is
// full; then nothing else is until the bucket has made up for it.
// Thread safety: that of the event loop.
class Rate {
 public:
  using NowNs = std::int64_t (*)();  // of a clock that never goes back

  // token: its name, for messages. It has no limit until it is set.
  Rate(std::string token, NowNs now_ns);

  // Changes the limit; 0: none. Ids that were taken still count.
  void set(std::int64_t ids_per_second);
  bool is_limited() const { return ids_per_second_ > 0; }

  // Takes ids. Returns why not, if the rate is used up; then it takes none.
  std::optional<Refusal> take(std::uint32_t ids);
  // Gives back ids that were taken for a request that was then refused.
  void give_back(std::uint32_t ids);

 private:
  void refill();
  Refusal refusal_of(double missing) const;

  const std::string token_;
  const NowNs now_ns_;
  std::int64_t ids_per_second_ = 0;
  double taken_ = 0;  // of the bucket; more than its size after a large batch
  std::int64_t at_ns_;
};

}  // namespace polyflake::server
