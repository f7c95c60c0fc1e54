#include "facade/lease.hpp"

#include <polyflake/error.hpp>

#include <utility>

#include "facade/lease_state.hpp"
#include "facade/talk_state.hpp"
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

// --- addresses and replies --------------------------------------------------------------------------

bool is_store_address(const std::string& text) { return lease::is_store_url(text); }

StoreAddress::StoreAddress(const std::string& kind, const std::string& shown)
    : kind_(kind), parts_(std::make_shared<Parts>()) {
  parts_->shown = shown;
}

StoreAddress StoreAddress::parse(const std::string& url) {
  lease::StoreUrl parsed = lease::parse_store_url(url);
  StoreAddress address(parsed.kind, parsed.shown);
  address.client_ = std::move(parsed.client);
  address.parts_->place = std::move(parsed.place);
  return address;
}

void StoreAddress::set(const std::string& name, const std::string& value) {
  if (parts_->place.set(name, value)) return lease::check_schema(kind_, parts_->place);
  throw Error(ErrorCode::option_invalid, "a store has no option " + quoted(name));
}

std::string StoreAddress::shown() const { return parts_->shown; }
std::string StoreAddress::name() const { return parts_->place.name; }

StoreReply::StoreReply() : rows_(std::make_shared<Rows>()) {}
void StoreReply::begin_row() { rows_->rows.emplace_back(); }
void StoreReply::add(const std::string& text) { rows_->rows.back().emplace_back(text); }
void StoreReply::add_nothing() { rows_->rows.back().emplace_back(std::nullopt); }

// --- talking ----------------------------------------------------------------------------------------

StoreTalk::State::State(std::string kind_of_store, const lease::Place& place, const std::string& placeholder_of_client,
                        std::unique_ptr<lease::Asker> who_asks)
    : kind(std::move(kind_of_store)),
      name(place.name),
      schema(place.schema),
      placeholder(placeholder_of(placeholder_of_client)),
      asker(std::move(who_asks)),
      conversation(begun()) {}

std::unique_ptr<lease::Conversation> StoreTalk::State::begun() const {
  return std::make_unique<lease::Conversation>(lease::make_dialect(kind, name, schema, placeholder), *asker);
}

StoreTalk::StoreTalk(std::shared_ptr<State> state) : state_(std::move(state)) {}

StoreStep StoreTalk::step() {
  using Kind = lease::Action::Kind;
  lease::Conversation::Step step = state_->conversation->step();
  if (step.command) {
    return {"command", static_cast<std::int64_t>(step.number), std::move(step.command->name),
            std::move(step.command->parts), 0};
  }
  if (step.action.kind == Kind::failed) return {"failed", 0, "", {}, 0};
  if (step.action.kind == Kind::done) return {"done", 0, "", {}, 0};
  const std::int64_t ms = step.action.mono_ms - lease::system_time().mono_ms;
  return {"sleep", 0, "", {}, ms > 0 ? ms : 0};
}

bool StoreTalk::deliver(std::int64_t number, const StoreReply& reply) {
  return state_->conversation->deliver(static_cast<std::uint64_t>(number), reply.rows_->rows);
}

void StoreTalk::fail(std::int64_t number, const std::string& code, const std::string& reason) {
  state_->conversation->fail(static_cast<std::uint64_t>(number), code, reason);
}

std::vector<std::string> StoreTalk::setup() const { return state_->conversation->dialect().setup(); }

// --- leases -----------------------------------------------------------------------------------------

Lease::Lease(const StoreAddress& address, const std::string& layout, const std::string& placeholder)
    : StoreTalk(nullptr), held_(std::make_shared<Held>()) {
  const lease::Place& place = address.parts_->place;
  check_name(place);
  held_->lease = std::make_shared<lease::Lease>(polyflake::Layout(layout), place.options, address.shown());
  state_ = std::make_shared<State>(address.kind(), place, placeholder, std::make_unique<LeaseAsker>(held_->lease));
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
  if (held_->lease->ours()) held_->lease->release();
}

bool Lease::ours() const { return held_->lease->ours(); }

void Lease::begin_anew() {
  if (held_->lease->ours()) return;
  // Where the original was in the middle of a command, nobody here will say what came of it. Its memory is left as it is.
  static_cast<void>(state_->conversation.release());
  state_->conversation = state_->begun();
  held_->lease->begin_anew();
}
std::int64_t Lease::renewals() const {
  return static_cast<std::int64_t>(held_->lease->standing()->renewals.load(std::memory_order_relaxed));
}

std::string Lease::namespace_uuid() const { return held_->lease->namespace_uuid(); }

}  // namespace polyflake::facade
