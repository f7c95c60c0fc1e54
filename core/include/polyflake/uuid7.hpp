// Uuid7: UUIDs of version 7 (RFC 9562), which rise for the life of the process, whatever its clock does.
//
//   polyflake::Uuid7 ids;                                     // needs nothing: chance keeps processes apart
//   polyflake::Uuid id = ids.next_id();
//   polyflake::Uuid7Options options;
//   options.worker = "host";                                  // certain, as far as node ids are: see worker.hpp
//   polyflake::Uuid7 certain(options);
//
// Of the library polyflake::kinds. No secrets: who sees one id knows when it was made, and may guess at others.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <polyflake/detail/stamped_source.hpp>
#include <polyflake/options.hpp>
#include <polyflake/uuid.hpp>

namespace polyflake {

// Of ids without a worker: 262 144 a ms, until 3084.
inline constexpr const char* kUuid7Layout = "timestamp:45 sequence:18 tick=1ms epoch=1970-01-01T00:00:00.000Z";

struct Uuid7Options {
  std::optional<Worker> worker;  // nothing: ids carry no node id; else each carries the tick, sequence and node id of a
                                 // granted window, so that no two are equal whatever their random bits
  std::optional<Layout> layout;  // with a worker, whose is "polyflake" if none is given
  std::int64_t max_wait_ms = 10;  // both as in Options
  std::int64_t max_lead_ms = 0;
  std::shared_ptr<Clock> clock;  // null: the system clock
  // For tests with a manual clock: what stands for random bits, words of 8 bytes big endian. The first is the key of the ticks
  // (without a worker), then one an id.
  std::optional<std::string> entropy;
};

// Without a worker an id is unix_ms 48 | version | counter 18 | tail 56, and the clock is held up where it is set back
// (Stats::held_ms), so that no call fails; a fork needs nothing: the child draws bits of its own. With a worker it is a
// Generator's id, spelled as a UUID with a tail, and all that a Generator says of clocks, waits and forks holds.
class Uuid7 final : public StampedSource<Uuid> {
 public:
  // Never sleeps, and without a worker there is no window to wait for. Errors: option_invalid, layout_invalid (ticks other than
  // 1 ms), registry_unusable (no random bits); with a worker those of Generator().
  explicit Uuid7(const Uuid7Options& options = {});

  const char* kind() const override { return "uuid7"; }
  // kUuid7Layout without a worker.
  const Layout& layout() const { return positions().layout(); }
  std::uint64_t worker() const { return positions().worker(); }  // 0 without one
  // Blocks and errors: as Generator::renew(). Without a worker there is nothing to do.
  void renew() { positions().renew(); }

  // What an id of this source says. Errors: as Uuid7Bits::decode().
  Uuid7Parts decode(const Uuid& id) const { return bits_.decode(id); }
  // For range queries by time. Errors: field_out_of_range.
  Uuid first_id(std::int64_t unix_ms) const { return Uuid7Bits::first_id(unix_ms); }
  Uuid last_id(std::int64_t unix_ms) const { return Uuid7Bits::last_id(unix_ms); }

 private:
  const Uuid7Bits bits_;
};

namespace detail {
std::unique_ptr<Spelling> spelling_of(const Uuid7Options& options);
}

}  // namespace polyflake
