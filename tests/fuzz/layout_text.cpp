// Layout texts: what parses prints back to the same text, and is a layout whose borders pack and unpack.
#include <polyflake/layout.hpp>

#include <cstdio>
#include <ctime>
#include <optional>
#include <string>

#include "property.hpp"

namespace polyflake::fuzz {
namespace {

std::string spelled_epoch(std::int64_t epoch_ms) {
  const auto seconds = static_cast<std::time_t>(epoch_ms / 1000);
  std::tm utc;
  ::gmtime_r(&seconds, &utc);
  char text[32], ms[8];
  const std::size_t length = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &utc);
  std::snprintf(ms, sizeof ms, ".%03dZ", static_cast<int>(epoch_ms % 1000));
  return std::string(text, length) + ms;
}

// From what was read, not from the text that the layout keeps.
std::string spelled(const Layout& layout) {
  std::string text;
  for (const Field& field : layout.fields()) text += field.name + ":" + std::to_string(field.width) + " ";
  const std::int64_t tick = layout.tick_ms();
  text += "tick=" + (tick % 1000 == 0 ? std::to_string(tick / 1000) + "s" : std::to_string(tick) + "ms");
  return text + " epoch=" + spelled_epoch(layout.epoch_ms());
}

void hold_for_shape(const Layout& layout) {
  unsigned width = 0;
  for (const Field& field : layout.fields()) {
    hold(field.width >= 1, "a field has a bit");
    width += field.width;
  }
  hold(width <= 64, "an id has 64 bits");
  hold(layout.tick_ms() >= 1 && layout.epoch_ms() >= 0, "a tick lasts, an epoch is 1970 or later");
  hold(layout.end_tick() >= 1 && layout.time_of(layout.end_tick()) > layout.epoch_ms(), "time ends after it began");
}

void hold_for_id(const Layout& layout, std::uint64_t tick, std::uint64_t node, std::uint64_t sequence) {
  const Parts parts = layout.unpack(layout.pack(tick, node, sequence));
  hold(parts.tick == tick && parts.node == node && parts.sequence == sequence, "unpacking gives what was packed");
  hold(layout.tick_at(parts.time_ms) == tick, "the time of an id lies in its tick");
}

void run(std::string_view text) {
  std::optional<Layout> layout;
  if (!accepts([&] { layout = Layout::parse(text); }, {ErrorCode::layout_invalid, ErrorCode::layout_too_wide})) return;
  hold(layout->text() == text && spelled(*layout) == text, "a layout prints back to its text");
  hold(Layout(text) == *layout, "a text with a colon is no preset's name");
  hold_for_shape(*layout);
  const std::uint64_t last = layout->end_tick() - 1;
  hold_for_id(*layout, 0, 0, 0);
  hold_for_id(*layout, last, 0, ones(layout->sequence().width));
  hold_for_id(*layout, 0, ones(layout->node_width()), 0);
}

}  // namespace
}  // namespace polyflake::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  polyflake::fuzz::run(polyflake::fuzz::text_of(data, size));
  return 0;
}
