#include "lease/store_session.hpp"

#include <algorithm>
#include <utility>

#include "lease/store_warning.hpp"

namespace polyflake::lease {

StoreSession::Step StoreSession::step() {
  Step step;
  step.action.kind = Action::Kind::sleep;
  if (!awaiting_ && !command_) {
    step.action = asker_.next();
    read_again_ = false;
    not_prepared_.clear();
    if (step.action.kind == Action::Kind::read || step.action.kind == Action::Kind::cas) begin(step.action);
  }
  if (!command_) return step;
  awaiting_ = true;
  step.number = ++number_;
  step.command = std::exchange(command_, std::nullopt);
  return step;
}

void StoreSession::begin(const Action& action) {
  action_ = action;
  // A new namespace needs the tables or folders that contain it.
  if (action.kind == Action::Kind::cas && action.cas.makes_namespace && !preparing_) prepare();
  if (!preparation_.empty()) {
    command_ = std::move(preparation_.back());
    preparation_.pop_back();
    return;
  }
  preparing_ = false;
  command_ = action.kind == Action::Kind::read ? dialect_->begin(action.read) : dialect_->begin(action.cas);
}

void StoreSession::prepare() {
  preparation_ = dialect_->preparation();
  std::reverse(preparation_.begin(), preparation_.end());
  preparing_ = true;
}

bool StoreSession::deliver(std::uint64_t number, const Reply& reply) {
  if (!awaiting_ || number != number_) return true;
  awaiting_ = false;
  if (preparing_) {
    begin(action_);
    return true;
  }
  try {
    return take(reply);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::forked_generator) throw;
    asker_.deliver_nothing(action_.number, error.what());
    return false;
  }
}

bool StoreSession::take(const Reply& reply) {
  if (action_.kind == Action::Kind::read) {
    auto came = dialect_->read_replied(reply);
    if (auto* const more = std::get_if<Command>(&came)) {
      command_ = std::move(*more);
    } else {
      if (asker_.opens()) warn_of_store(dialect_->warning());
      asker_.deliver(action_.number, std::get<Contents>(came));
    }
    return true;
  }
  auto came = dialect_->cas_replied(reply);
  if (auto* const more = std::get_if<Command>(&came)) {
    command_ = std::move(*more);
    return true;
  }
  if (const std::string why = dialect_->why_unknown(); !why.empty()) {
    asker_.deliver_nothing(action_.number, why);
    return true;
  }
  const Answer& answer = std::get<Answer>(came);
  asker_.deliver(action_.number, answer);
  return answer.echo == action_.cas.echo;
}

void StoreSession::fail(std::uint64_t number, const std::string& code, const std::string& what) {
  if (!awaiting_ || number != number_) return;
  awaiting_ = false;
  const std::string reason = with_advice(what, dialect_->advice(code));
  const bool was_preparing = std::exchange(preparing_, false);
  preparation_.clear();
  const bool of_read = action_.kind == Action::Kind::read;
  if (was_preparing && of_read) {  // another client may have made the tables at the same moment
    not_prepared_ = reason;
    return begin(action_);
  }
  if (of_read && dialect_->is_missing(code)) return miss_tables();
  asker_.deliver_nothing(action_.number, reason);
}

void StoreSession::miss_tables() {
  if (asker_.makes_namespace() && !read_again_) {
    read_again_ = true;
    prepare();
    return begin(action_);
  }
  if (!not_prepared_.empty()) return asker_.deliver_nothing(action_.number, not_prepared_);
  asker_.deliver(action_.number, Contents{});
}

}  // namespace polyflake::lease
