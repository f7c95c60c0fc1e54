#include "facade/process.hpp"

#include <polyflake/clock.hpp>
#include <polyflake/detail/execution.hpp>
#include <polyflake/process.hpp>
#include <polyflake/version.hpp>

namespace polyflake::facade {

std::string version() { return POLYFLAKE_VERSION; }

std::string take_warning() { return polyflake::take_warning(); }

void release_all() noexcept { polyflake::release_all(); }

std::uint64_t execution() { return Execution::current(); }

std::int64_t sleep_ns(std::int64_t ns) { return polyflake::sleep_ns(ns); }

}  // namespace polyflake::facade
