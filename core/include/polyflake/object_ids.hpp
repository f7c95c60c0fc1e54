// ObjectIds: MongoDB's 12-byte ids, which rise for the life of the process, whatever its clock does.
//
//   polyflake::ObjectIds ids;
//   std::string id = ids.next_id().text();  // 24 hex digits
//
// Of the library polyflake::kinds. No secrets: who sees one id may guess others.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <polyflake/clock.hpp>
#include <polyflake/detail/stamped_source.hpp>
#include <polyflake/object_id.hpp>

namespace polyflake {

struct ObjectIdOptions {
  std::int64_t max_wait_ms = 10;  // as in Options; a second is always waited out
  std::int64_t max_lead_ms = 0;   // as in Options
  std::shared_ptr<Clock> clock;   // null: the system clock
  std::optional<std::string>
      entropy;  // for tests with a manual clock: what stands for random bits, words of 8 bytes big
                // endian: the key of the seconds, then the process in its 40 low bits
};

// Seconds 4 | process 5 | counter 3 bytes, big endian, as MongoDB's specification has it. Unlike there the counter begins anew in
// each second, at a place that chance decides, and carries into the next second: so ids of a process always rise, where a
// counter that goes round falls from ffffff to 0 within a second, and repeats itself beyond 2^24 ids in one. Servers and drivers
// take both. A clock that is set back is held up, and a child of a fork draws process bytes of its own.
class ObjectIds final : public StampedSource<ObjectId> {
 public:
  // Never sleeps. Errors: option_invalid, registry_unusable (no random bits), clock_before_epoch, time_exhausted.
  explicit ObjectIds(const ObjectIdOptions& options = {});

  const char* kind() const override { return "objectid"; }
  // "timestamp:32 sequence:24 tick=1s epoch=1970-01-01T00:00:00.000Z".
  const Layout& layout() const { return positions().layout(); }

  ObjectIdParts decode(const ObjectId& id) const { return id.decode(); }
  // For range queries by time. Errors: field_out_of_range.
  ObjectId first_id(std::int64_t unix_ms) const { return ObjectId::first_id(unix_ms); }
  ObjectId last_id(std::int64_t unix_ms) const { return ObjectId::last_id(unix_ms); }
};

namespace detail {
std::unique_ptr<Spelling> spelling_of(const ObjectIdOptions& options);
}

}  // namespace polyflake
