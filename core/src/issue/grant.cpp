#include <polyflake/detail/grant.hpp>

namespace polyflake {
namespace {

std::atomic<std::uint64_t> g_serials{0};  // ordinary memory: a copy counts on from there

}  // namespace

std::uint64_t Grant::next_serial() { return g_serials.fetch_add(1, std::memory_order_relaxed) + 1; }

}  // namespace polyflake
