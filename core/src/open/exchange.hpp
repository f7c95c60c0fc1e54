// Does what carry() of each carrier of ours has around its command.
#pragma once

#include <chrono>
#include <cstdint>

#include <polyflake/command.hpp>

#include "os/connection.hpp"

namespace polyflake {

// Returns what `ask` returns, which takes the deadline. If that throws, the line is closed.
// Errors: CommandFailure, to which the line's fail() adds the server.
template <class Line, class Ask>
lease::Reply exchange(Line& line, std::int64_t timeout_ms, Ask ask) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(timeout_ms);
  try {
    return ask(deadline);
  } catch (const ConnectionFailure& failure) {
    line.fail(failure.code(), failure.what());
  } catch (const lease::CommandFailure& failure) {
    line.fail(failure.code(), failure.what());
  } catch (...) {
    line.close();
    throw;
  }
}

}  // namespace polyflake
