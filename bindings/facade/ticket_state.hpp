// The ticket servers of this process, as all of its sources share them: for the facade only.
#pragma once

#include <polyflake/detail/execution.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "count/tickets.hpp"
#include "facade/lease.hpp"

namespace polyflake::facade {

// The result of asking a server.
struct TicketOutcome {
  std::optional<count::TicketServers::Verdict> verdict;  // none: it failed
  std::uint64_t number = 0;
};

// One server, as the calls of one execution of the process use it.
struct TicketSlot {
  bool is_asked = false;  // by a call, which has no outcome yet
  unsigned undone = 0;    // in this call
  std::optional<TicketOutcome> outcome;
  std::string said;  // why it gave no number, the last time
};

// Belongs to one execution.
struct PresentTickets {
  explicit PresentTickets(std::size_t count) : rules(count), slots(count) {}

  const std::uint64_t execution = Execution::current();
  std::mutex mutex;  // guards the rest
  count::TicketServers rules;
  std::vector<TicketSlot> slots;
  std::deque<const void*> waiting;  // calls, in their order
  std::uint64_t issued = 0, failures = 0;

  TicketSlot& slot(std::size_t server) { return slots[server - 1]; }
};

// Ticket servers of this process.
struct KnownServers {
  KnownServers(std::string its_key, std::vector<std::string> its_shown, std::string its_table)
      : key(std::move(its_key)), shown(std::move(its_shown)), table(std::move(its_table)) {}

  std::size_t count() const { return shown.size(); }
  const std::string& shown_of(std::size_t server) const { return shown[server - 1]; }

  // Returns what is known in this execution. That of the original of a copy is never touched: its
  // lock may be held for ever.
  PresentTickets& present() {
    PresentTickets* known = known_.load(std::memory_order_acquire);
    if (known != nullptr && known->execution == Execution::current()) return *known;
    auto made = std::make_unique<PresentTickets>(count());
    // Acquire and release: a thread that finds it sees it whole.
    if (known_.compare_exchange_strong(known, made.get(), std::memory_order_acq_rel)) return *made.release();
    return *known;
  }

  const std::string key;
  const std::vector<std::string> shown;
  const std::string table;
  KnownServers* next = nullptr;

 private:
  std::atomic<PresentTickets*> known_{nullptr};
};

// Returns those with these clients and this table, for SQL.
KnownServers& known_servers(const std::vector<std::string>& clients, const std::vector<std::string>& shown,
                            const std::string& table);

// Returns a conversation with a server. syntax: as of TicketServers::session().
std::shared_ptr<StoreSession::State> conversation_with(KnownServers& servers, std::size_t server,
                                                       const std::string& syntax);

}  // namespace polyflake::facade
