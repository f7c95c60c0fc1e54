// Texts of UUIDs and ObjectIds: what is read is written the same, and says what can be put together again.
#include <polyflake/object_id.hpp>
#include <polyflake/uuid.hpp>

#include <string>

#include "property.hpp"

namespace polyflake::fuzz {
namespace {

void run_uuid(std::string_view text) {
  Uuid uuid{};
  if (!reads(text, [&] { uuid = Uuid::parse(text); })) return;
  hold(uuid.text() == text, "a UUID is written as it was read");
  hold(Uuid::of(uuid.high(), uuid.low()) == uuid, "its halves are all of it");
  for (const char* const name : {"polyflake", "instagram", "mastodon"}) {
    const Layout layout = name;
    std::uint64_t id = 0;
    const auto codes = {ErrorCode::id_out_of_range, ErrorCode::field_out_of_range};
    if (accepts([&] { id = layout.from_uuid(uuid); }, codes))
      hold(layout.to_uuid(id) == uuid, "an id is spelled as it was read");
    Uuid7Parts parts{};
    if (accepts([&] { parts = Uuid7Bits(layout).decode(uuid); }, codes)) {
      id = layout.pack(parts.tick, parts.node, parts.sequence);
      const bool whole = layout.sequence().width + layout.node_width() >= 10;  // the tail fits 64 bits
      hold(!whole || Uuid7Bits(layout).uuid_of(id, parts.tail) == uuid, "its parts are all of it");
    }
  }
}

void run_object_id(std::string_view text) {
  ObjectId id{};
  if (!reads(text, [&] { id = ObjectId::parse(text); })) return;
  hold(id.text() == text, "an ObjectId is written as it was read");
  const ObjectIdParts parts = id.decode();
  hold(ObjectId::of(static_cast<std::uint32_t>(parts.time_ms / 1000), parts.process, parts.counter) == id,
       "its parts are all of it");
}

}  // namespace
}  // namespace polyflake::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  polyflake::fuzz::run_uuid(polyflake::fuzz::text_of(data, size));
  polyflake::fuzz::run_object_id(polyflake::fuzz::text_of(data, size));
  return 0;
}
