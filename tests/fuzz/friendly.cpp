// Friendly forms. The first byte chooses the preset, the second the offset from UTC, in steps of 9 minutes.
#include <polyflake/friendly.hpp>

#include "property.hpp"

namespace polyflake::fuzz {
namespace {

void hold_for(const Layout& layout, std::string_view text, std::int64_t offset) {
  std::uint64_t id = 0;
  const bool read = reads(text, [&] { id = from_friendly(layout, text, offset); },
                          {ErrorCode::text_invalid, ErrorCode::field_out_of_range});
  if (!read) return;
  hold(friendly(layout, id, offset) == text, "an id prints back to its text");
  hold(friendly_local_seconds(layout, text) == layout.unpack(id).time_ms / 1000 + offset,
       "local time is ahead by the offset");
  hold(from_friendly_of_zone(layout, text, {offset}) == id, "a zone with one offset is that offset");
}

void run(std::string_view input) {
  if (input.size() < 2) return;
  static const std::vector<std::string> names = Layout::preset_names();
  const Layout layout(names[static_cast<unsigned char>(input[0]) % names.size()]);
  hold_for(layout, input.substr(2), (static_cast<unsigned char>(input[1]) % 241 - 120) * std::int64_t{540});
}

}  // namespace
}  // namespace polyflake::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  polyflake::fuzz::run(polyflake::fuzz::text_of(data, size));
  return 0;
}
