#include "count/memory_stores.hpp"

#include <polyflake/clock.hpp>
#include <polyflake/detail/execution.hpp>
#include <polyflake/error.hpp>

#include <atomic>
#include <memory>
#include <utility>

namespace polyflake::lease {
namespace {

struct Named {
  explicit Named(std::string its_name) : name(std::move(its_name)) {}

  const std::string name;
  const std::uint64_t execution = Execution::current();  // whose store this is
  MemoryStore store{SystemClock::read_ms};
  Named* next = nullptr;
};

// Only added to, and never freed: leases outlive what opened them.
std::atomic<Named*> g_stores{nullptr};

Named* find(Named* list, const std::string& name) {
  while (list != nullptr && list->name != name) list = list->next;
  return list;
}

Named& find_or_add(const std::string& name) {
  Named* list = g_stores.load(std::memory_order_acquire);
  std::unique_ptr<Named> made;
  // The list that was searched is the one the swap must find: else another thread may have added
  // the same name.
  for (;;) {
    if (Named* const found = find(list, name)) return *found;
    if (made == nullptr) made = std::make_unique<Named>(name);
    made->next = list;
    if (g_stores.compare_exchange_weak(list, made.get(), std::memory_order_acq_rel)) return *made.release();
  }
}

}  // namespace

MemoryStore& memory_store(const std::string& name) {
  Named& named = find_or_add(name);
  if (named.execution != Execution::current()) named.store.forked();
  return named.store;
}

void carry_out(const Action& action, Store& store, Asker& asker) {
  const std::uint64_t number = action.number;
  try {
    if (action.kind == Action::Kind::read) {
      asker.deliver(number, store.read(action.read));
    } else {
      asker.deliver(number, store.cas(action.cas));
    }
  } catch (const Error& error) {
    asker.deliver_nothing(number, error.what());
  }
}

}  // namespace polyflake::lease
