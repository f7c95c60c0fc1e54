#include <polyflake/detail/grant.hpp>

namespace polyflake {
namespace {

// Ordinary memory: a copy of the process counts on from there.
std::atomic<std::uint64_t> g_serials{0};

}  // namespace

std::uint64_t Grant::next_serial() { return g_serials.fetch_add(1, std::memory_order_relaxed) + 1; }

}  // namespace polyflake
