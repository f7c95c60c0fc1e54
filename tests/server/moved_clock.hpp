// A clock for rates, which tests move.
#pragma once

#include <cstdint>

namespace polyflake::server::test {

inline std::int64_t now_ns = 0;
inline std::int64_t read_now_ns() { return now_ns; }
inline void pass_ms(std::int64_t ms) { now_ns += ms * 1'000'000; }

}  // namespace polyflake::server::test
