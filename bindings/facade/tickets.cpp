#include "facade/tickets.hpp"

#include <polyflake/detail/execution.hpp>
#include <polyflake/error.hpp>
#include <polyflake/text.hpp>

#include <algorithm>
#include <atomic>
#include <deque>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

#include "count/ticket_requests.hpp"
#include "count/tickets.hpp"
#include "facade/session_state.hpp"
#include "open/lease.hpp"

namespace polyflake::facade {
// What came of asking a server.
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
    // Acquire and release: whoever finds it sees it whole.
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

namespace {

using Slot = TicketSlot;
using Present = PresentTickets;
using Servers = KnownServers;
using Outcome = TicketOutcome;
using Verdict = count::TicketServers::Verdict;

// Others of this process may end a call in another interpreter, which nobody here is woken by.
constexpr std::int64_t kLongestWaitMs = 20;
// A server that undoes so many statements of one call is no healthy one.
constexpr unsigned kMostUndone = 100;

std::int64_t mono_ms() { return lease::system_time().mono_ms; }

// Only added to, and never freed: what a server gave must be known as long as the process lives.
std::atomic<Servers*> g_servers{nullptr};

Servers* find(Servers* list, const std::string& key) {
  while (list != nullptr && list->key != key) list = list->next;
  return list;
}

Servers& servers_of(const std::vector<std::string>& clients, const std::vector<std::string>& shown,
                    const std::string& table) {
  std::string key = table;
  for (const std::string& client : clients) key += '\n' + client;
  Servers* list = g_servers.load(std::memory_order_acquire);
  std::unique_ptr<Servers> made;
  // The list that was searched is the one the swap must find: else another thread may have added
  // the same servers.
  for (;;) {
    if (Servers* const found = find(list, key)) return *found;
    if (made == nullptr) made = std::make_unique<Servers>(key, shown, table);
    made->next = list;
    if (g_servers.compare_exchange_weak(list, made.get(), std::memory_order_acq_rel)) return *made.release();
  }
}

// Writes down what comes of asking one server. Requires: one call at a time, by the call that asks.
class ServerAsker final : public count::TicketAsker {
 public:
  ServerAsker(Servers& servers, std::size_t server) : servers_(servers), server_(server) {}

  bool wants_number() override {
    Present& present = servers_.present();
    const std::lock_guard lock(present.mutex);
    return present.slot(server_).is_asked;
  }

  bool answered(std::uint64_t number) override {
    bool again = false;
    write([&](Present& present, Slot& slot) {
      const Verdict verdict = present.rules.answered(server_, number);
      again = verdict == Verdict::again;
      if (again) return;
      if (verdict != Verdict::id) slot.said = complaint(verdict, number);
      end(slot, {verdict, number});
    });
    return again;
  }

  void undone(const std::string& reason) override {
    write([&](Present& present, Slot& slot) {
      slot.said = reason;
      if (++slot.undone >= kMostUndone) fail(present, slot);
    });
  }

  void failed(const std::string& reason) override {
    write([&](Present& present, Slot& slot) {
      slot.said = reason;
      fail(present, slot);
    });
  }

 private:
  // A reply to a call that gave up, or to one of the original of this copy, counts for nothing.
  template <class Write>
  void write(Write write) {
    Present& present = servers_.present();
    const std::lock_guard lock(present.mutex);
    Slot& slot = present.slot(server_);
    if (slot.is_asked) write(present, slot);
  }

  static void end(Slot& slot, Outcome outcome) {
    slot.is_asked = false;
    slot.outcome = outcome;
  }

  void fail(Present& present, Slot& slot) {
    present.rules.failed(server_, mono_ms());
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

  Servers& servers_;
  const std::size_t server_;
};

// Requests to one server, for a runner.
struct TicketState final : StoreSession::State {
  TicketState(const StoreAddress& address, Servers& servers, std::size_t server,
              std::optional<count::TicketSyntax> its_syntax)
      : State(address, "?"),
        asker(std::make_shared<ServerAsker>(servers, server)),
        asked{server, servers.count(), servers.table},
        syntax(its_syntax) {
    begin();
  }
  std::unique_ptr<lease::Requests> requests() const override { return count::ticket_requests(asker, asked, syntax); }
  lease::Requests::Next carry_out() const override { return {}; }  // only for a store in memory

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

std::string new_ticket_client() {
  static std::atomic<std::uint64_t> last{0};
  return "client " + std::to_string(last.fetch_add(1, std::memory_order_relaxed) + 1);  // only its value counts
}

// --- a call for one number -----------------------------------------------------------------------

struct TicketCall::Work {
  Work(Servers& its_servers, std::int64_t timeout_ms)
      : servers(its_servers), present(&servers.present()), deadline_ms(mono_ms() + timeout_ms) {}
  ~Work() { end(); }
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;

  TicketStep step() {
    begin_anew();
    const std::lock_guard lock(present->mutex);
    const std::int64_t now_ms = mono_ms();
    if (server != 0) {
      Slot& slot = present->slot(server);
      if (slot.is_asked) {
        if (now_ms < deadline_ms) return ask(now_ms);
        refuse("gave a number within timeout_ms");
      }
      if (const std::int64_t number = judged(slot)) return {"number", number};
    }
    if (now_ms >= deadline_ms) refuse("gave a number within timeout_ms");
    if (!is_next(now_ms)) return {"wait", 0, 0, std::min(deadline_ms - now_ms, kLongestWaitMs)};
    leave();
    server = present->rules.next(now_ms).value();
    Slot& slot = present->slot(server);
    slot.is_asked = true;
    slot.undone = 0;
    return ask(now_ms);
  }

  void end() noexcept {
    if (present->execution != Execution::current()) return;  // it belongs to the original
    const std::lock_guard lock(present->mutex);
    leave();
  }

 private:
  // In a copy of the process: what the original was doing is nothing that happened here.
  void begin_anew() {
    Present& its = servers.present();
    if (&its == present) return;
    present = &its;
    server = 0;
  }

  // Leaves time for another server, if one is up, since this one may hang.
  TicketStep ask(std::int64_t now_ms) {
    const auto up = present->rules.up(now_ms);
    const std::int64_t left_ms = deadline_ms - now_ms;
    const std::int64_t limit_ms = up.free + up.asked > 1 ? left_ms / 2 : left_ms;
    return {"ask", 0, static_cast<std::int64_t>(server), std::max<std::int64_t>(limit_ms, 1)};
  }

  // Returns the number; 0 if the server failed, so that another one is asked. Errors: the verdict.
  std::int64_t judged(Slot& slot) {
    const Outcome outcome = std::exchange(slot.outcome, std::nullopt).value_or(Outcome{});
    const std::size_t asked = std::exchange(server, 0);
    present->rules.release(asked);
    if (!outcome.verdict) return 0;
    if (*outcome.verdict == Verdict::id) {
      ++present->issued;
      return static_cast<std::int64_t>(outcome.number);
    }
    throw Error(*outcome.verdict == Verdict::went_back ? ErrorCode::store_went_back : ErrorCode::store_misconfigured,
                "ticket server " + servers.shown_of(asked) + " " + slot.said);
  }

  // Returns true if a server is free and no call that waits longer needs it; else this call waits.
  // Errors: store_unavailable if no server is up.
  bool is_next(std::int64_t now_ms) {
    const auto up = present->rules.up(now_ms);
    if (up.free + up.asked == 0) refuse("gives a number");
    auto& waiting = present->waiting;
    auto place = std::find(waiting.begin(), waiting.end(), this);
    if (place == waiting.end()) place = waiting.insert(waiting.end(), this);
    return static_cast<std::size_t>(place - waiting.begin()) < up.free;
  }

  // Gives up the server, and the place among those that wait.
  void leave() {
    auto& waiting = present->waiting;
    waiting.erase(std::remove(waiting.begin(), waiting.end(), this), waiting.end());
    if (server == 0) return;
    Slot& slot = present->slot(server);
    present->rules.release(server);
    slot.is_asked = false;
    slot.outcome.reset();
    server = 0;
  }

  [[noreturn]] void refuse(const std::string& what) {
    leave();
    std::string message = "no ticket server " + what;
    for (std::size_t i = 1; i <= servers.count(); ++i) {
      const std::string& said = present->slot(i).said;
      message += (i == 1 ? ": " : "; ") + servers.shown_of(i) + " " + (said.empty() ? "was not asked" : said);
    }
    throw Error(ErrorCode::store_unavailable, message);
  }

  Servers& servers;
  Present* present;
  const std::int64_t deadline_ms;
  std::size_t server = 0;  // that this call asks; 0: none
};

TicketCall::TicketCall(std::shared_ptr<Work> work) : work_(std::move(work)) {}
TicketStep TicketCall::step() { return work_->step(); }
void TicketCall::end() noexcept { work_->end(); }

// --- a source --------------------------------------------------------------------------------------

struct TicketServers::Opened {
  Opened(Servers& its_servers, std::int64_t its_timeout_ms) : servers(its_servers), timeout_ms(its_timeout_ms) {}

  Servers& servers;
  const std::int64_t timeout_ms;
  std::atomic<bool> closed{false};
};

TicketServers::TicketServers(const std::vector<std::string>& clients, const std::vector<std::string>& shown,
                             const std::string& table, std::int64_t timeout_ms) {
  count::check_ticket_servers(clients.size(), timeout_ms);
  if (std::set<std::string>(clients.begin(), clients.end()).size() < clients.size()) {
    throw Error(ErrorCode::option_invalid, "a ticket server is given twice");
  }
  std::vector<std::string> words = shown;
  words.resize(clients.size());
  opened_ = std::make_shared<Opened>(servers_of(clients, words, count::ticket_table(table)), timeout_ms);
}

TicketCall TicketServers::call() const {
  if (closed()) throw Error(ErrorCode::generator_closed, "this source was closed; open a new one");
  return TicketCall(std::make_shared<TicketCall::Work>(opened_->servers, opened_->timeout_ms));
}

TicketSession TicketServers::session(std::int64_t server, const std::string& syntax) const {
  Servers& servers = opened_->servers;
  if (server < 1 || static_cast<std::size_t>(server) > servers.count()) {
    throw Error(ErrorCode::option_invalid, "there is no ticket server " + std::to_string(server));
  }
  const auto number = static_cast<std::size_t>(server);
  const StoreAddress address("mysql", servers.shown_of(number));
  return TicketSession(std::make_shared<TicketState>(address, servers, number, syntax_of(syntax)));
}

GeneratorState TicketServers::state() const {
  if (closed()) return {"closed", "generator_closed"};
  Present& present = opened_->servers.present();
  const std::lock_guard lock(present.mutex);
  const auto up = present.rules.up(mono_ms());
  if (up.free + up.asked > 0) return {"open", ""};
  return {"waiting", info(ErrorCode::store_unavailable).name};
}

polyflake::Stats TicketServers::stats() const {
  Present& present = opened_->servers.present();
  const std::lock_guard lock(present.mutex);
  polyflake::Stats stats{};
  stats.issued = present.issued;
  stats.store_failures = present.failures;
  return stats;
}

void TicketServers::close() noexcept { opened_->closed.store(true, std::memory_order_relaxed); }
bool TicketServers::closed() const noexcept { return opened_->closed.load(std::memory_order_relaxed); }

// --- the rules -----------------------------------------------------------------------------------

struct TicketRules::Rules {
  count::TicketServers servers;
};

TicketRules::TicketRules(std::int64_t count)
    : rules_(std::make_shared<Rules>(Rules{count::TicketServers(static_cast<std::size_t>(count))})) {}

std::int64_t TicketRules::next(std::int64_t mono_ms) {
  return static_cast<std::int64_t>(rules_->servers.next(mono_ms).value_or(0));
}

std::string TicketRules::answered(std::int64_t server, const std::string& number) {
  const auto verdict = rules_->servers.answered(static_cast<std::size_t>(server), from_text(number, "decimal"));
  if (verdict != Verdict::again) rules_->servers.release(static_cast<std::size_t>(server));
  switch (verdict) {
    case Verdict::id: return number;
    case Verdict::again: return "again";
    case Verdict::misconfigured: return info(ErrorCode::store_misconfigured).name;
    default: return info(ErrorCode::store_went_back).name;
  }
}

void TicketRules::failed(std::int64_t server, std::int64_t mono_ms) {
  rules_->servers.failed(static_cast<std::size_t>(server), mono_ms);
  rules_->servers.release(static_cast<std::size_t>(server));
}

}  // namespace polyflake::facade
