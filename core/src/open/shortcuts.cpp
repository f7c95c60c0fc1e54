#include <polyflake/shortcuts.hpp>

#include <polyflake/error.hpp>

#include <atomic>
#include <memory>

namespace polyflake {
namespace {

// Never freed: threads may issue until exit.
std::atomic<Generator*> g_default{nullptr};

Generator& opened_default() {
  if (Generator* const current = default_generator()) return *current;
  auto made = std::make_unique<Generator>(Options{});
  Generator* expected = nullptr;
  if (g_default.compare_exchange_strong(expected, made.get(), std::memory_order_acq_rel)) return *made.release();
  return *expected;  // another thread was first; both share one state
}

}  // namespace

std::uint64_t next_id() { return opened_default().next_id(); }

std::string next_id_string() { return opened_default().next_id_string(); }

// acquire: the generator is complete before its address is here
Generator* default_generator() noexcept { return g_default.load(std::memory_order_acquire); }

void set_default(Generator& generator) {
  Generator* expected = nullptr;
  if (g_default.compare_exchange_strong(expected, &generator, std::memory_order_acq_rel) || expected == &generator)
    return;
  throw Error(ErrorCode::option_invalid,
              "the default generator was used or set before; set it once, before the first id");
}

Parts decode(std::uint64_t id) {
  const Generator* const generator = default_generator();
  return generator != nullptr ? generator->decode(id) : Layout("polyflake").unpack(id);
}

}  // namespace polyflake
