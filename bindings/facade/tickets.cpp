#include "facade/tickets.hpp"

#include <polyflake/detail/execution.hpp>
#include <polyflake/error.hpp>
#include <polyflake/text.hpp>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

#include "count/ticket_requests.hpp"
#include "count/tickets.hpp"
#include "facade/ticket_state.hpp"
#include "open/lease.hpp"

namespace polyflake::facade {
namespace {

using Verdict = count::TicketServers::Verdict;

// A call that ends in another interpreter of this process wakes no call of this one.
constexpr std::int64_t kLongestWaitMs = 20;

std::int64_t mono_ms() { return lease::system_time().mono_ms; }

}  // namespace

std::string new_ticket_client() {
  static std::atomic<std::uint64_t> last{0};
  return "client " + std::to_string(last.fetch_add(1, std::memory_order_relaxed) + 1);  // only its value counts
}

// --- a call for one number -----------------------------------------------------------------------

struct TicketCall::Work {
  Work(KnownServers& servers, std::int64_t timeout_ms)
      : servers_(servers), present_(&servers.present()), deadline_ms_(mono_ms() + timeout_ms) {}
  ~Work() { end(); }
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;

  TicketStep step() {
    begin_anew();
    const std::lock_guard lock(present_->mutex);
    const std::int64_t now_ms = mono_ms();
    if (server_ != 0) {
      TicketSlot& slot = present_->slot(server_);
      if (slot.is_asked) {
        if (now_ms < deadline_ms_) return ask(now_ms);
        refuse("gave a number within timeout_ms");
      }
      if (const std::int64_t number = judged(slot)) return {"number", number};
    }
    if (now_ms >= deadline_ms_) refuse("gave a number within timeout_ms");
    if (!is_next(now_ms)) return {"wait", 0, 0, std::min(deadline_ms_ - now_ms, kLongestWaitMs)};
    leave();
    server_ = present_->rules.next(now_ms).value();
    TicketSlot& slot = present_->slot(server_);
    slot.is_asked = true;
    slot.undone = 0;
    return ask(now_ms);
  }

  void end() noexcept {
    if (present_->execution != Execution::current()) return;  // it belongs to the original
    const std::lock_guard lock(present_->mutex);
    leave();
  }

 private:
  // In a copy of the process the call begins again, since its server belongs to the original.
  void begin_anew() {
    PresentTickets& its = servers_.present();
    if (&its == present_) return;
    present_ = &its;
    server_ = 0;
  }

  // Leaves time for another server, if one is up, since this one may hang.
  TicketStep ask(std::int64_t now_ms) {
    const auto up = present_->rules.up(now_ms);
    const std::int64_t left_ms = deadline_ms_ - now_ms;
    const std::int64_t limit_ms = up.free + up.asked > 1 ? left_ms / 2 : left_ms;
    return {"ask", 0, static_cast<std::int64_t>(server_), std::max<std::int64_t>(limit_ms, 1)};
  }

  // Returns the number; 0 if the server failed, so that another one is asked. Errors: the verdict.
  std::int64_t judged(TicketSlot& slot) {
    const TicketOutcome outcome = std::exchange(slot.outcome, std::nullopt).value_or(TicketOutcome{});
    const std::size_t asked = std::exchange(server_, 0);
    present_->rules.release(asked);
    if (!outcome.verdict) return 0;
    if (*outcome.verdict == Verdict::id) {
      ++present_->issued;
      return static_cast<std::int64_t>(outcome.number);
    }
    throw Error(*outcome.verdict == Verdict::went_back ? ErrorCode::store_went_back : ErrorCode::store_misconfigured,
                "ticket server " + servers_.shown_of(asked) + " " + slot.said);
  }

  // Returns true if a server is free and no call that waits longer needs it; else this call waits.
  // Errors: store_unavailable if no server is up.
  bool is_next(std::int64_t now_ms) {
    const auto up = present_->rules.up(now_ms);
    if (up.free + up.asked == 0) refuse("gives a number");
    auto& waiting = present_->waiting;
    auto place = std::find(waiting.begin(), waiting.end(), this);
    if (place == waiting.end()) place = waiting.insert(waiting.end(), this);
    return static_cast<std::size_t>(place - waiting.begin()) < up.free;
  }

  // Gives up the server, and the place among those that wait.
  void leave() {
    auto& waiting = present_->waiting;
    waiting.erase(std::remove(waiting.begin(), waiting.end(), this), waiting.end());
    if (server_ == 0) return;
    TicketSlot& slot = present_->slot(server_);
    present_->rules.release(server_);
    slot.is_asked = false;
    slot.outcome.reset();
    server_ = 0;
  }

  [[noreturn]] void refuse(const std::string& what) {
    leave();
    std::string message = "no ticket server " + what;
    for (std::size_t i = 1; i <= servers_.count(); ++i) {
      const std::string& said = present_->slot(i).said;
      message += (i == 1 ? ": " : "; ") + servers_.shown_of(i) + " " + (said.empty() ? "was not asked" : said);
    }
    throw Error(ErrorCode::store_unavailable, message);
  }

  KnownServers& servers_;
  PresentTickets* present_;
  const std::int64_t deadline_ms_;
  std::size_t server_ = 0;  // that this call asks; 0: none
};

TicketCall::TicketCall(std::shared_ptr<Work> work) : work_(std::move(work)) {}
TicketStep TicketCall::step() { return work_->step(); }
void TicketCall::end() noexcept { work_->end(); }

// --- a source --------------------------------------------------------------------------------------

struct TicketServers::Opened {
  Opened(KnownServers& its_servers, std::int64_t its_timeout_ms) : servers(its_servers), timeout_ms(its_timeout_ms) {}

  KnownServers& servers;
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
  opened_ = std::make_shared<Opened>(known_servers(clients, words, count::ticket_table(table)), timeout_ms);
}

TicketCall TicketServers::call(std::int64_t more_ms) const {
  if (closed()) throw Error(ErrorCode::generator_closed, "this source was closed; open a new one");
  return TicketCall(std::make_shared<TicketCall::Work>(opened_->servers, opened_->timeout_ms + more_ms));
}

TicketSession TicketServers::session(std::int64_t server, const std::string& syntax) const {
  KnownServers& servers = opened_->servers;
  if (server < 1 || static_cast<std::size_t>(server) > servers.count()) {
    throw Error(ErrorCode::option_invalid, "there is no ticket server " + std::to_string(server));
  }
  return TicketSession(conversation_with(servers, static_cast<std::size_t>(server), syntax));
}

GeneratorState TicketServers::state() const {
  if (closed()) return {"closed", "generator_closed"};
  PresentTickets& present = opened_->servers.present();
  const std::lock_guard lock(present.mutex);
  const auto up = present.rules.up(mono_ms());
  if (up.free + up.asked > 0) return {"open", ""};
  return {"waiting", info(ErrorCode::store_unavailable).name};
}

polyflake::Stats TicketServers::stats() const {
  PresentTickets& present = opened_->servers.present();
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
  explicit Rules(std::size_t m) : servers_count(m), servers(m) {}

  std::size_t checked(std::int64_t server) const {
    if (server >= 1 && static_cast<std::size_t>(server) <= servers_count) return static_cast<std::size_t>(server);
    throw Error(ErrorCode::option_invalid, "there is no ticket server " + std::to_string(server));
  }

  const std::size_t servers_count;
  count::TicketServers servers;
};

TicketRules::TicketRules(std::int64_t count) {
  constexpr std::int64_t kAnyTimeoutMs = 1;
  count::check_ticket_servers(static_cast<std::size_t>(count), kAnyTimeoutMs);
  rules_ = std::make_shared<Rules>(static_cast<std::size_t>(count));
}

std::int64_t TicketRules::next(std::int64_t mono_ms) {
  return static_cast<std::int64_t>(rules_->servers.next(mono_ms).value_or(0));
}

std::string TicketRules::answered(std::int64_t server, const std::string& number) {
  const std::size_t asked = rules_->checked(server);
  const auto verdict = rules_->servers.answered(asked, from_text(number, "decimal"));
  if (verdict != Verdict::again) rules_->servers.release(asked);
  switch (verdict) {
    case Verdict::id: return number;
    case Verdict::again: return "again";
    case Verdict::misconfigured: return info(ErrorCode::store_misconfigured).name;
    default: return info(ErrorCode::store_went_back).name;
  }
}

void TicketRules::failed(std::int64_t server, std::int64_t mono_ms) {
  const std::size_t asked = rules_->checked(server);
  rules_->servers.failed(asked, mono_ms);
  rules_->servers.release(asked);
}

}  // namespace polyflake::facade
