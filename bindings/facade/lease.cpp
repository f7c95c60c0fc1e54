#include "facade/lease.hpp"

#include <polyflake/error.hpp>

#include <utility>

#include "count/memory_stores.hpp"
#include "facade/lease_state.hpp"
#include "facade/session_state.hpp"
#include "lease/dialect.hpp"
#include "lease/record.hpp"

namespace polyflake::facade {
namespace {

lease::Placeholder placeholder_of(const std::string& text) {
  if (text == "%s") return lease::Placeholder::format;
  return lease::Placeholder::question;
}

class LeaseAsker final : public lease::Asker {
 public:
  explicit LeaseAsker(std::shared_ptr<lease::Lease> lease) : lease_(std::move(lease)) {}
  lease::Action next() override { return lease_->poll(); }
  void deliver(std::uint64_t number, const lease::Contents& contents) override { lease_->deliver(number, contents); }
  void deliver(std::uint64_t number, const lease::Answer& answer) override { lease_->deliver(number, answer); }
  void deliver_nothing(std::uint64_t number, const std::string& reason) override {
    lease_->deliver_nothing(number, reason);
  }
  bool opens() const override { return true; }
  bool makes_namespace() const override { return lease_->options().auto_init != LeaseOptions::AutoInit::no; }

 private:
  const std::shared_ptr<lease::Lease> lease_;
};

}  // namespace

struct StoreReply::Rows {
  lease::Reply rows;
};

// Addresses and replies.

bool is_store_address(const std::string& text) { return polyflake::is_store_address(text); }

std::string store_failure(const std::string& words, const std::string& code) {
  return lease::with_advice(words, lease::advice_on(code));
}

StoreAddress::StoreAddress(const std::string& kind, const std::string& shown)
    : kind_(kind), parts_(std::make_shared<Parts>()) {
  parts_->shown = shown;
}

StoreAddress StoreAddress::parse(const std::string& url) {
  lease::StoreUrl parsed = lease::parse_store_url(url);
  StoreAddress address(parsed.kind, parsed.shown);
  address.client_ = std::move(parsed.client);
  address.parts_->wanted = std::move(parsed.wanted);
  return address;
}

StoreAddress StoreAddress::parse_ticket_server(const std::string& url) {
  lease::StoreUrl parsed = lease::parse_server_url(url);
  if (parsed.kind != "mysql") {
    throw Error(ErrorCode::option_invalid,
                parsed.shown + ": ticket servers are MySQL or MariaDB, at mysql:// addresses");
  }
  StoreAddress address(parsed.kind, parsed.shown);
  address.client_ = std::move(parsed.client);
  return address;
}

void StoreAddress::set(const std::string& name, const std::string& value) {
  if (parts_->wanted.set(name, value)) return lease::check_schema(kind_, parts_->wanted);
  throw Error(ErrorCode::option_invalid, "a store has no option " + quoted(name));
}

std::string StoreAddress::shown() const { return parts_->shown; }
std::string StoreAddress::name() const { return parts_->wanted.name; }

StoreReply::StoreReply() : rows_(std::make_shared<Rows>()) {}
void StoreReply::begin_row() { rows_->rows.emplace_back(); }
void StoreReply::add(const std::string& text) { rows_->rows.back().emplace_back(text); }
void StoreReply::add_nothing() { rows_->rows.back().emplace_back(std::nullopt); }

// The session with a store.

StoreSession::State::State(const StoreAddress& address, const std::string& placeholder_of_client)
    : kind(address.kind()),
      name(address.parts_->wanted.name),
      schema(address.parts_->wanted.schema),
      placeholder(placeholder_of(placeholder_of_client)),
      shown(address.shown()) {}

void StoreSession::State::begin() {
  auto made = requests();
  session = made == nullptr ? nullptr : std::make_unique<lease::StoreSession>(std::move(made));
}

lease::StoreSession::Step StoreSession::State::next() const {
  using Kind = lease::Requests::Next::Kind;
  if (session != nullptr) return session->step();
  for (;;) {
    const lease::Requests::Next next = carry_out();
    if (next.kind != Kind::read && next.kind != Kind::write) return {0, std::nullopt, next};
  }
}

LeaseRequests::LeaseRequests(const StoreAddress& address, const std::string& placeholder_of_client,
                             std::unique_ptr<lease::Asker> who_asks)
    : State(address, placeholder_of_client), asker(std::move(who_asks)) {
  begin();
}

std::unique_ptr<lease::Requests> LeaseRequests::requests() const {
  auto dialect = lease::make_dialect(kind, name, schema, placeholder);
  return dialect == nullptr ? nullptr : lease::requests_of(*asker, std::move(dialect));
}

lease::Requests::Next LeaseRequests::carry_out() const {
  const lease::Action action = asker->next();
  const lease::Requests::Next next = lease::next_of(action);
  const bool is_request = action.kind == lease::Action::Kind::read || action.kind == lease::Action::Kind::cas;
  if (is_request) lease::carry_out(action, lease::memory_store(shown), *asker);
  return next;
}

StoreSession::StoreSession(std::shared_ptr<State> state) : state_(std::move(state)) {}

StoreStep StoreSession::step() {
  using Kind = lease::Requests::Next::Kind;
  lease::StoreSession::Step step = state_->next();
  if (step.command) {
    return {"command", static_cast<std::int64_t>(step.number), std::move(step.command->name),
            std::move(step.command->parts), 0};
  }
  if (step.next.kind == Kind::offset) return {"offset", step.next.time.unix_ms, step.next.time.zone, {}, 0};
  if (step.next.kind == Kind::failed) return {"failed", 0, "", {}, 0};
  if (step.next.kind == Kind::done) return {"done", 0, "", {}, 0};
  const std::int64_t ms = step.next.mono_ms - lease::system_time().mono_ms;
  return {"sleep", 0, "", {}, ms > 0 ? ms : 0};
}

void StoreSession::tell_offset(std::int64_t seconds) {
  constexpr std::int64_t kMostS = 86'400;
  if (seconds <= -kMostS || seconds >= kMostS) return state_->tell_offset(std::nullopt);
  state_->tell_offset(seconds * 1000);
}

void StoreSession::tell_no_offset() { state_->tell_offset(std::nullopt); }

bool StoreSession::deliver(std::int64_t number, const StoreReply& reply) {
  lease::StoreSession* const session = state_->session.get();
  return session == nullptr || session->deliver(static_cast<std::uint64_t>(number), reply.rows_->rows);
}

void StoreSession::fail(std::int64_t number, const std::string& code, const std::string& reason) {
  if (state_->session == nullptr) return;
  state_->session->fail(static_cast<std::uint64_t>(number), code, reason);
}

std::vector<std::string> StoreSession::setup() const {
  return state_->session == nullptr ? std::vector<std::string>{} : state_->session->store().setup();
}

void StoreSession::begin_session() {
  // If the original was in the middle of a command, its result never arrives here. Its memory is
  // not touched.
  static_cast<void>(state_->session.release());
  state_->begin();
}

// Leases.

Lease::Lease(const StoreAddress& address, const std::string& layout, const std::string& placeholder)
    : StoreSession(nullptr), held_(std::make_shared<Held>()) {
  const lease::WantedNamespace& wanted = address.parts_->wanted;
  check_name(wanted);
  held_->lease = std::make_shared<lease::Lease>(polyflake::Layout(layout), wanted.options, address.shown());
  state_ = std::make_shared<LeaseRequests>(address, placeholder, std::make_unique<LeaseAsker>(held_->lease));
}

bool Lease::granted() const { return held_->lease->granted(); }

void Lease::raise_failure() const {
  const lease::Failure failure = held_->lease->failure();
  throw Error(failure.code, failure.message);
}

std::int64_t Lease::acquire_timeout_ms() const { return held_->lease->acquire_timeout_ms(); }
std::int64_t Lease::command_timeout_ms() const { return held_->lease->command_timeout_ms(); }
void Lease::hurry() { held_->lease->hurry(); }

void Lease::release() noexcept {
  if (held_->lease->of_this_execution()) held_->lease->release();
}

bool Lease::of_this_execution() const { return held_->lease->of_this_execution(); }

void Lease::begin_anew() {
  if (held_->lease->of_this_execution()) return;
  begin_session();
  held_->lease->begin_anew();
}
std::int64_t Lease::confirmations() const {
  return static_cast<std::int64_t>(held_->lease->status()->confirmations.load(std::memory_order_acquire));
}

std::string Lease::namespace_uuid() const { return held_->lease->namespace_uuid(); }

std::vector<std::string> Lease::take_report() {
  auto line = held_->reports.next(*held_->lease->status(), lease::system_time());
  if (!line) return {};
  return {line->is_fault ? "warning" : "info", std::move(line->text)};
}

}  // namespace polyflake::facade
