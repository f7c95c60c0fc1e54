#include <polyflake/shortcuts.hpp>

#include <polyflake/error.hpp>

#include <atomic>
#include <memory>

namespace polyflake {
namespace {

// Never freed: threads may issue until the very exit.
std::atomic<Generator*> g_default{nullptr};

Generator& default_generator() {
  if (Generator* const current = g_default.load(std::memory_order_acquire)) return *current;
  auto made = std::make_unique<Generator>(Options{});
  Generator* expected = nullptr;
  if (g_default.compare_exchange_strong(expected, made.get(), std::memory_order_acq_rel)) return *made.release();
  return *expected;  // another thread was first; both share one state
}

}  // namespace

std::uint64_t next_id() { return default_generator().next_id(); }

std::string next_id_string() { return default_generator().next_id_string(); }

void set_default(Generator& generator) {
  Generator* expected = nullptr;
  if (g_default.compare_exchange_strong(expected, &generator, std::memory_order_acq_rel) || expected == &generator)
    return;
  throw Error(ErrorCode::option_invalid,
              "the default generator was used or set before; set it once, before the first id");
}

Parts decode(std::uint64_t id) { return Layout("polyflake").unpack(id); }

}  // namespace polyflake
