// Uuid7: UUIDs of version 7 (RFC 9562) that rise for the life of the process, even if its clock
// does not.
//
//   polyflake::Uuid7 ids;                       // no worker: chance keeps processes apart
//   polyflake::Uuid id = ids.next_id();
//   polyflake::Uuid7Options options;
//   options.worker = "host";                    // as certain as node ids are: see worker.hpp
//   polyflake::Uuid7 certain(options);
//
// Part of the library polyflake::kinds. The ids are not secrets: an id shows when it was made, and
// its reader may guess others.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <polyflake/options.hpp>
#include <polyflake/stamped_source.hpp>
#include <polyflake/uuid.hpp>

namespace polyflake {

// The layout of ids without a worker: 262 144 ids a ms, until 3084.
inline constexpr const char* kUuid7Layout = "timestamp:45 sequence:18 tick=1ms epoch=1970-01-01T00:00:00.000Z";

extern template class StampedSource<Uuid>;

struct Uuid7Options {
  // nullopt: ids carry no node id. Otherwise each carries the tick, sequence and node id of a
  // granted window, so that no two are equal, even with equal random bits.
  std::optional<Worker> worker;
  std::optional<Layout> layout;   // only with a worker, "polyflake" if none is given
  std::int64_t max_wait_ms = 10;  // both as in Options
  std::int64_t max_lead_ms = 0;
  std::shared_ptr<Clock> clock;  // null: the system clock
  // For tests with a manual clock: words of 8 bytes big endian, used instead of random bits.
  // Without a worker, the first word is the key that decides where each tick begins; then one word
  // per id.
  std::optional<std::string> entropy;
};

// Without a worker an id is unix_ms 48 | version | counter 18 | tail 56. If the clock is set back,
// ids stay ahead of it (Stats::held_ms), so that no call fails. After a fork the child draws its
// own bits. With a worker an id is a Generator's id, spelled as a UUID with a tail; the rules of
// Generator for clocks, waits and forks apply.
class Uuid7 final : public StampedSource<Uuid> {
 public:
  // Never sleeps; without a worker there is no window to wait for. Errors: option_invalid,
  // layout_invalid (ticks other than 1 ms), registry_unusable (no random bits); with a worker those
  // of Generator().
  explicit Uuid7(const Uuid7Options& options = {});

  const char* kind() const override { return "uuid7"; }
  // Returns kUuid7Layout if there is no worker.
  const Layout& layout() const { return positions().layout(); }
  std::uint64_t worker() const { return positions().worker(); }  // 0 without one
  // Blocks and errors: as Generator::renew(). Without a worker it does nothing.
  void renew() { positions().renew(); }

  // Returns the fields of an id of this source. Errors: as Uuid7Bits::decode().
  Uuid7Parts decode(const Uuid& id) const { return bits_.decode(id); }
  // For range queries by time. Errors: field_out_of_range.
  Uuid first_id(std::int64_t unix_ms) const { return Uuid7Bits::first_id(unix_ms); }
  Uuid last_id(std::int64_t unix_ms) const { return Uuid7Bits::last_id(unix_ms); }

 private:
  const Uuid7Bits bits_;
};

}  // namespace polyflake
