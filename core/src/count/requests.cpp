#include "count/requests.hpp"

#include <exception>
#include <optional>
#include <utility>
#include <variant>

namespace polyflake::count {
namespace {

using Kind = lease::Requests::Next::Kind;

class CounterRequests final : public lease::Requests {
 public:
  CounterRequests(Asker& asker, std::unique_ptr<Dialect> dialect) : asker_(asker), dialect_(std::move(dialect)) {}

  Next next() override {
    action_ = asker_.next();
    return next_of(action_);
  }

  Command begin() override {
    switch (action_.kind) {
      case Action::Kind::add: write_ = action_.add; break;
      case Action::Kind::head: write_ = action_.head; break;
      case Action::Kind::back: write_ = action_.back; break;
      default: return dialect_->begin_read();
    }
    return dialect_->begin(write_);
  }

  Taken take(const Reply& reply) override {
    if (reads()) {
      auto came = dialect_->read_replied(reply);
      if (auto* const more = std::get_if<Command>(&came)) return {std::move(*more)};
      asker_.deliver(action_.number, std::get<Contents>(came));
      return {};
    }
    auto came = dialect_->write_replied(reply);
    if (auto* const more = std::get_if<Command>(&came)) return {std::move(*more)};
    if (const std::string why = dialect_->why_unknown(); !why.empty()) {
      fail(why);
      return {};
    }
    const Answer& answer = std::get<Answer>(came);
    asker_.deliver(action_.number, answer);
    return {std::nullopt, answer.echo == conditions_of(write_).echo};
  }

  void fail(const std::string& reason) override { asker_.deliver_nothing(action_.number, reason); }
  void find_nothing() override { asker_.deliver(action_.number, Contents{}); }
  std::optional<Command> without_tables() override { return dialect_->begin_read_without_table(); }
  // Nothing was written, and the same may be asked again.
  void undone(const std::string&) override {
    Answer answer;
    answer.outcome = Outcome::conflict;
    answer.echo = conditions_of(write_).echo;
    asker_.deliver(action_.number, answer);
  }
  bool makes_namespace() const override { return asker_.makes_counter(); }
  const lease::StoreTraits& store() const override { return *dialect_; }

 private:
  bool reads() const { return action_.kind == Action::Kind::read; }

  Asker& asker_;
  const std::unique_ptr<Dialect> dialect_;
  Action action_;  // the request in progress
  Write write_;    // the same, unless it is a read
};

}  // namespace

lease::Requests::Next next_of(const Action& action) {
  switch (action.kind) {
    case Action::Kind::read: return {Kind::read};
    case Action::Kind::add:
    case Action::Kind::head:
    case Action::Kind::back: return {Kind::write};
    case Action::Kind::offset: return {Kind::offset, 0, false, action.time};
    case Action::Kind::done: return {Kind::done};
    default: return {Kind::sleep, action.mono_ms};
  }
}

std::unique_ptr<lease::Requests> requests_of(Asker& asker, std::unique_ptr<Dialect> dialect) {
  return std::make_unique<CounterRequests>(asker, std::move(dialect));
}

void carry_out(const Action& action, const std::string& counter, CounterStore& store, Asker& asker) {
  std::optional<Contents> contents;
  Answer answer;
  try {
    if (action.kind == Action::Kind::read) contents = store.read_counter(counter);
    else if (action.kind == Action::Kind::add) answer = store.add(action.add);
    else if (action.kind == Action::Kind::head) answer = store.write_head(action.head);
    else answer = store.back(action.back);
  } catch (const std::exception& error) {
    return asker.deliver_nothing(action.number, error.what());
  } catch (...) {
    return asker.deliver_nothing(action.number, "the store failed");
  }
  if (contents) return asker.deliver(action.number, *contents);
  asker.deliver(action.number, answer);
}

}  // namespace polyflake::count
