// ObjectIds: MongoDB's 12-byte ids, which rise for the life of the process, even if its clock does
// not.
//
//   polyflake::ObjectIds ids;
//   std::string id = ids.next_id().text();  // 24 hex digits
//
// Part of the library polyflake::kinds. The ids are not secrets: a reader of one id may guess
// others.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <polyflake/clock.hpp>
#include <polyflake/object_id.hpp>
#include <polyflake/stamped_source.hpp>

namespace polyflake {

extern template class StampedSource<ObjectId>;

struct ObjectIdOptions {
  std::int64_t max_wait_ms = 10;  // as in Options; always waits for a second if it has to
  std::int64_t max_lead_ms = 0;   // as in Options
  std::shared_ptr<Clock> clock;   // null: the system clock
  // For tests with a manual clock: words of 8 bytes big endian, used instead of random bits: first
  // the key that decides where each second begins, then the process in the 40 low bits.
  std::optional<std::string> entropy;
};

// Seconds 4 | process 5 | counter 3 bytes, big endian, as in MongoDB's specification. Unlike in the
// specification, the counter starts again in each second, at a random value, and carries into the
// next second. So ids of a process always rise. There it wraps from ffffff to 0 within a second,
// and repeats itself after 2^24 ids in one second. Servers and drivers accept both. Ids stay ahead
// of a clock that was set back, and a child of a fork draws its own process bytes.
class ObjectIds final : public StampedSource<ObjectId> {
 public:
  // Never sleeps. Errors: option_invalid, registry_unusable (no random bits), clock_before_epoch,
  // time_exhausted.
  explicit ObjectIds(const ObjectIdOptions& options = {});

  const char* kind() const override { return "objectid"; }
  // Returns "timestamp:32 sequence:24 tick=1s epoch=1970-01-01T00:00:00.000Z".
  const Layout& layout() const { return positions().layout(); }

  ObjectIdParts decode(const ObjectId& id) const { return id.decode(); }
  // For range queries by time. Errors: field_out_of_range.
  ObjectId first_id(std::int64_t unix_ms) const { return ObjectId::first_id(unix_ms); }
  ObjectId last_id(std::int64_t unix_ms) const { return ObjectId::last_id(unix_ms); }
};

}  // namespace polyflake
