#include "lease/store_session.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "lease/store_warning.hpp"

namespace polyflake::lease {
namespace {

using Kind = Requests::Next::Kind;

class LeaseRequests final : public Requests {
 public:
  LeaseRequests(Asker& asker, std::unique_ptr<Dialect> dialect) : asker_(asker), dialect_(std::move(dialect)) {}

  Next next() override {
    action_ = asker_.next();
    return next_of(action_);
  }

  Command begin() override { return reads() ? dialect_->begin(action_.read) : dialect_->begin(action_.cas); }

  Taken take(const Reply& reply) override {
    if (reads()) {
      auto came = dialect_->read_replied(reply);
      if (auto* const more = std::get_if<Command>(&came)) return {std::move(*more)};
      if (asker_.opens()) warn_of_store(dialect_->warning());
      asker_.deliver(action_.number, std::get<Contents>(came));
      return {};
    }
    auto came = dialect_->cas_replied(reply);
    if (auto* const more = std::get_if<Command>(&came)) return {std::move(*more)};
    if (const std::string why = dialect_->why_unknown(); !why.empty()) {
      asker_.deliver_nothing(action_.number, why);
      return {};
    }
    const Answer& answer = std::get<Answer>(came);
    asker_.deliver(action_.number, answer);
    return {std::nullopt, answer.echo == action_.cas.echo};
  }

  void fail(const std::string& reason) override { asker_.deliver_nothing(action_.number, reason); }
  void find_nothing() override { asker_.deliver(action_.number, Contents{}); }
  bool makes_namespace() const override { return asker_.makes_namespace(); }
  const StoreTraits& store() const override { return *dialect_; }

 private:
  bool reads() const { return action_.kind == Action::Kind::read; }

  Asker& asker_;
  const std::unique_ptr<Dialect> dialect_;
  Action action_;  // the request in progress
};

}  // namespace

Requests::Next next_of(const Action& action) {
  switch (action.kind) {
    case Action::Kind::read: return {Kind::read};
    case Action::Kind::cas: return {Kind::write, 0, action.cas.makes_namespace};
    case Action::Kind::failed: return {Kind::failed};
    case Action::Kind::done: return {Kind::done};
    default: return {Kind::sleep, action.mono_ms};
  }
}

std::unique_ptr<Requests> requests_of(Asker& asker, std::unique_ptr<Dialect> dialect) {
  return std::make_unique<LeaseRequests>(asker, std::move(dialect));
}

StoreSession::Step StoreSession::step() {
  Step step;
  if (!awaiting_ && !command_) {
    step.next = requests_->next();
    read_again_ = false;
    not_prepared_.clear();
    if (step.next.kind == Kind::read || step.next.kind == Kind::write) {
      request_ = step.next;
      begin();
    }
  }
  if (!command_) return step;
  awaiting_ = true;
  step.number = ++number_;
  step.command = std::exchange(command_, std::nullopt);
  return step;
}

void StoreSession::begin() {
  if (request_.makes_tables && !preparing_) prepare();
  if (!preparation_.empty()) {
    command_ = std::move(preparation_.back());
    preparation_.pop_back();
    return;
  }
  preparing_ = false;
  command_ = requests_->begin();
}

void StoreSession::prepare() {
  preparation_ = store().preparation();
  std::reverse(preparation_.begin(), preparation_.end());
  preparing_ = true;
}

bool StoreSession::deliver(std::uint64_t number, const Reply& reply) {
  if (!awaiting_ || number != number_) return true;
  awaiting_ = false;
  if (preparing_) {
    begin();
    return true;
  }
  try {
    Requests::Taken taken = requests_->take(reply);
    command_ = std::move(taken.command);
    return taken.is_ours;
  } catch (const Error& error) {
    if (error.code() == ErrorCode::forked_generator) throw;
    requests_->fail(error.what());
    return false;
  }
}

void StoreSession::fail(std::uint64_t number, const std::string& code, const std::string& what) {
  if (!awaiting_ || number != number_) return;
  awaiting_ = false;
  const std::string reason = with_advice(what, store().advice(code));
  const bool was_preparing = std::exchange(preparing_, false);
  preparation_.clear();
  const bool of_read = request_.kind == Kind::read;
  if (was_preparing && of_read) {  // another client may have made the tables at the same moment
    // Tables of counters need those of namespaces, which an operator makes first.
    if (!store().is_missing(code)) not_prepared_ = reason;
    return begin();
  }
  if (of_read && store().is_missing(code)) return miss_tables();
  if (!of_read && store().is_undone(code)) return requests_->undone(reason);
  requests_->fail(reason);
}

void StoreSession::interrupted() {
  if (!awaiting_) return;
  awaiting_ = false;
  preparing_ = false;
  preparation_.clear();
  requests_->undone("the call was interrupted");
}

void StoreSession::miss_tables() {
  if (requests_->makes_namespace() && !read_again_) {
    read_again_ = true;
    prepare();
    return begin();
  }
  if (!not_prepared_.empty()) return requests_->fail(not_prepared_);
  command_ = requests_->without_tables();
  if (!command_) requests_->find_nothing();
}

}  // namespace polyflake::lease
