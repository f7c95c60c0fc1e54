// What the parts of Generator share: claim.cpp, wait.cpp, generator.cpp.
#pragma once

#include <polyflake/generator.hpp>

#include <cstdint>

#include "issue/thread_reserve.hpp"

namespace polyflake {

constexpr std::int64_t kNsPerMs = 1'000'000;

// What a closed generator issues from: an empty window, so that every call takes the slow path. Made by the first
// generator of the process, and never freed: calls may come at any time.
State& closed_node();

// How far ahead of the clock a window may begin for its start to be waited for: its length and a tick, and a little, since a
// quarantine counts from the time of a file.
inline std::int64_t longest_start_ticks(const Grant& grant) { return grant.window_ticks + grant.window_ticks / 8 + 1; }

[[noreturn]] void refuse_closed();
[[noreturn]] void refuse_late(const State& state);

// What the calling thread took ahead under this grant.
ThreadReserve& own_run(const Grant& grant) noexcept;

}  // namespace polyflake
