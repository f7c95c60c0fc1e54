// Layouts with many ids a tick, with 4096, and with few.
#pragma once

namespace polyflake::test {

constexpr const char* kWide = "timestamp:40 worker:1 sequence:22 tick=1ms epoch=2020-01-01T00:00:00.000Z";
constexpr const char* kDefault = "polyflake";
constexpr const char* kNarrow = "timestamp:41 worker:14 sequence:8 tick=1ms epoch=2020-01-01T00:00:00.000Z";

}  // namespace polyflake::test
