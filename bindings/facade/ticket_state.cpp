#include "facade/ticket_state.hpp"

#include <polyflake/error.hpp>

#include "count/ticket_requests.hpp"
#include "facade/session_state.hpp"
#include "open/lease.hpp"

namespace polyflake::facade {
namespace {

using Verdict = count::TicketServers::Verdict;

// A server that undoes so many statements of one call has failed.
constexpr unsigned kMostUndone = 100;

// Only added to, and never freed: what a server gave must be known as long as the process lives.
std::atomic<KnownServers*> g_servers{nullptr};

KnownServers* find(KnownServers* list, const std::string& key) {
  while (list != nullptr && list->key != key) list = list->next;
  return list;
}

// Writes down what comes of asking one server. Requires: one call at a time, by the call that asks.
class ServerAsker final : public count::TicketAsker {
 public:
  ServerAsker(KnownServers& servers, std::size_t server) : servers_(servers), server_(server) {}

  bool wants_number() override {
    PresentTickets& present = servers_.present();
    const std::lock_guard lock(present.mutex);
    return present.slot(server_).is_asked;
  }

  bool answered(std::uint64_t number) override {
    bool again = false;
    write([&](PresentTickets& present, TicketSlot& slot) {
      const Verdict verdict = present.rules.answered(server_, number);
      again = verdict == Verdict::again;
      if (again) return;
      if (verdict != Verdict::id) slot.said = complaint(verdict, number);
      end(slot, {verdict, number});
    });
    return again;
  }

  void undone(const std::string& reason) override {
    write([&](PresentTickets& present, TicketSlot& slot) {
      slot.said = reason;
      if (++slot.undone >= kMostUndone) fail(present, slot);
    });
  }

  void failed(const std::string& reason) override {
    write([&](PresentTickets& present, TicketSlot& slot) {
      slot.said = reason;
      fail(present, slot);
    });
  }

 private:
  // A reply to a call that gave up, or to one of the original of this copy, counts for nothing.
  template <class Write>
  void write(Write write) {
    PresentTickets& present = servers_.present();
    const std::lock_guard lock(present.mutex);
    TicketSlot& slot = present.slot(server_);
    if (slot.is_asked) write(present, slot);
  }

  static void end(TicketSlot& slot, TicketOutcome outcome) {
    slot.is_asked = false;
    slot.outcome = outcome;
  }

  void fail(PresentTickets& present, TicketSlot& slot) {
    present.rules.failed(server_, lease::system_time().mono_ms);
    ++present.failures;
    end(slot, {});
  }

  std::string complaint(Verdict verdict, std::uint64_t number) const {
    const std::string gave = "gave " + std::to_string(number) + ", ";
    const std::string never = "; this process does not ask it again";
    if (verdict == Verdict::went_back) {
      return gave +
             "which is not above a number that it gave before: its table was put back or made anew. Set its "
             "AUTO_INCREMENT above all numbers that it gave" +
             never;
    }
    return gave + "and as server " + std::to_string(server_) + " of " + std::to_string(servers_.count()) +
           " it must give numbers above 0 that are " + std::to_string(server_ % servers_.count()) + " modulo " +
           std::to_string(servers_.count()) + ": look at the AUTO_INCREMENT of the id in " + servers_.table + never;
  }

  KnownServers& servers_;
  const std::size_t server_;
};

// Requests to one server, for a runner.
struct TicketState final : StoreSession::State {
  TicketState(const StoreAddress& address, KnownServers& servers, std::size_t server,
              std::optional<count::TicketSyntax> its_syntax)
      : State(address, "?"),
        asker(std::make_shared<ServerAsker>(servers, server)),
        asked{server, servers.count(), servers.table},
        syntax(its_syntax) {
    begin();
  }
  std::unique_ptr<lease::Requests> requests() const override { return count::ticket_requests(asker, asked, syntax); }
  lease::Requests::Next carry_out() const override { return {}; }  // only for a store in memory
  // One call at a time asks a server. So a command that awaits its reply is that of a call which
  // never got it: an exception of a signal handler ended it.
  lease::StoreSession::Step next() const override {
    session->interrupted();
    return State::next();
  }

  const std::shared_ptr<ServerAsker> asker;
  const count::TicketServer asked;
  const std::optional<count::TicketSyntax> syntax;
};

std::optional<count::TicketSyntax> syntax_of(const std::string& name) {
  if (name.empty()) return std::nullopt;
  if (name == "statement") return count::TicketSyntax::statement;
  if (name == "session") return count::TicketSyntax::session;
  throw Error(ErrorCode::option_invalid, "there is no syntax " + quoted(name));
}

}  // namespace

KnownServers& known_servers(const std::vector<std::string>& clients, const std::vector<std::string>& shown,
                            const std::string& table) {
  std::string key = table;
  for (const std::string& client : clients) key += '\n' + client;
  KnownServers* list = g_servers.load(std::memory_order_acquire);
  std::unique_ptr<KnownServers> made;
  // The list that was searched is the one the swap must find: else another thread may have added
  // the same servers.
  for (;;) {
    if (KnownServers* const found = find(list, key)) return *found;
    if (made == nullptr) made = std::make_unique<KnownServers>(key, shown, table);
    made->next = list;
    if (g_servers.compare_exchange_weak(list, made.get(), std::memory_order_acq_rel)) return *made.release();
  }
}

std::shared_ptr<StoreSession::State> conversation_with(KnownServers& servers, std::size_t server,
                                                       const std::string& syntax) {
  const StoreAddress address("mysql", servers.shown_of(server));
  return std::make_shared<TicketState>(address, servers, server, syntax_of(syntax));
}

}  // namespace polyflake::facade
