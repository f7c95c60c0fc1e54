#include "ids/queue.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace polyflake::server {

void Caller::leave() noexcept {
  if (queue_ != nullptr) queue_->leave(*this);
}

Queue::Queue(boost::asio::io_context& loop, std::string name, std::unique_ptr<Source> source, std::int64_t max_wait_ms)
    : name_(std::move(name)),
      source_(std::move(source)),
      longest_wait_(std::chrono::milliseconds(max_wait_ms)),
      timer_(loop) {}

bool Queue::ask(Caller& caller, bool few) {
  const bool first = !serving_ && is_empty();
  // A few ids may be there at once, so only those who want more are judged before.
  if (!first || caller.wanted() > kTurn) refuse_if_too_long(caller, wait_ns(caller.wanted(), few));
  if (first) {
    const std::int64_t until_more_ns = serve_at_once(caller);
    refuse_if_too_long(caller, static_cast<double>(until_more_ns) + wait_ns(caller.wanted(), few));
    if (caller.wanted() == 0) source_->drop();
    else serve_in(until_more_ns);
  }
  if (caller.wanted() == 0) return true;
  enter(caller, few);
  return false;
}

std::int64_t Queue::serve_at_once(Caller& caller) {
  try {
    while (caller.wanted() != 0) {
      const Source::Answer answer = source_->take(std::min(caller.wanted(), kTurn));
      if (answer.ids.count == 0) return answer.wait_ns;
      given_ += answer.ids.count;
      caller.take(answer.ids);
    }
  } catch (const std::exception& failure) {
    caller.refuse(refusal_of(failure));
  }
  return 0;
}

double Queue::wait_ns(std::size_t wanted, bool few) const {
  const auto all = static_cast<double>(few_.wanted + many_.wanted + wanted);
  // Few have three of four turns while both wait.
  const double turns = few ? static_cast<double>(few_.wanted + wanted) * 4 / 3 : all;
  return ns_until_turn() + std::min(all, turns) * source_->ns_per_id();
}

// While callers wait, the timer says when the source has ids again.
double Queue::ns_until_turn() const {
  if (is_empty()) return 0;
  const std::chrono::nanoseconds ns = timer_.expiry() - std::chrono::steady_clock::now();
  return std::max(0.0, static_cast<double>(ns.count()));
}

void Queue::enter(Caller& caller, bool few) {
  Line& line = few ? few_ : many_;
  caller.queue_ = this;
  caller.few_ = few;
  caller.counted_ = caller.wanted();
  caller.until_ = std::chrono::steady_clock::now() + 2 * longest_wait_;
  line.callers.push_back(caller);
  line.wanted += caller.counted_;
}

void Queue::leave(Caller& caller) noexcept {
  Line& line = caller.few_ ? few_ : many_;
  line.callers.erase(line.callers.iterator_to(caller));
  line.wanted -= caller.counted_;
  caller.queue_ = nullptr;
  if (!serving_ && is_empty()) source_->drop();
}

void Queue::serve() {
  constexpr int kAtOnce = 64;  // callers, then other connections are read
  serving_ = true;
  refuse_overdue();
  int callers = 0;
  while (!is_empty() && callers < kAtOnce && serve_next()) ++callers;
  serving_ = false;
  if (is_empty()) source_->drop();
  else if (callers == kAtOnce) serve_in(0);
}

bool Queue::serve_next() {
  Line& line = line_of_turn();
  Caller& caller = line.callers.front();
  Source::Answer answer{};
  try {
    answer = source_->take(std::min(caller.wanted(), kTurn));
  } catch (const std::exception& failure) {
    refuse_all(refusal_of(failure));
    return false;
  }
  if (answer.ids.count == 0) {
    if (answer.wait_ns > longest_wait_.count()) refuse_all(refusal_of_wait());
    else serve_in(answer.wait_ns);
    return false;
  }
  given_ += answer.ids.count;
  caller.take(answer.ids);
  line.wanted -= answer.ids.count;
  caller.counted_ -= answer.ids.count;
  const bool is_served = caller.wanted() == 0;
  // Else the next turn of its line is its own, so few replies are half made at a time.
  if (is_served) caller.leave();
  count_turn(line, answer.ids.count);
  if (is_served) caller.served();
  return true;
}

Queue::Line& Queue::line_of_turn() {
  const bool turn_of_many = turn_ % 4 == 3;
  Line& first = turn_of_many ? many_ : few_;
  return first.callers.empty() ? (turn_of_many ? few_ : many_) : first;
}

void Queue::count_turn(const Line& line, std::size_t ids) {
  of_turn_ += ids;
  if (of_turn_ < kTurn && !line.callers.empty()) return;
  ++turn_;
  of_turn_ = 0;
}

// --- refusals ------------------------------------------------------------------------------------

void Queue::refuse_all(const Refusal& refusal) {
  // Those who ask again meanwhile wait behind the others, and as long as that.
  const std::size_t refused = few_.callers.size() + many_.callers.size();
  for (std::size_t i = 0; i < refused && !is_empty(); ++i) {
    Line& line = few_.callers.empty() ? many_ : few_;
    refuse_waiting(line.callers.front(), refusal);
  }
  if (!is_empty()) serve_in(0);
}

void Queue::refuse_if_too_long(Caller& caller, double ns) const {
  if (caller.wanted() != 0 && ns > static_cast<double>(longest_wait_.count())) caller.refuse(refusal_of_wait());
}

void Queue::refuse_overdue() {
  const auto now = std::chrono::steady_clock::now();
  // The first of a line has waited longest.
  for (Line* const line : {&few_, &many_}) {
    while (!line->callers.empty() && line->callers.front().until_ <= now) {
      refuse_waiting(line->callers.front(), refusal_of_wait());
    }
  }
}

void Queue::refuse_waiting(Caller& caller, const Refusal& refusal) {
  caller.leave();
  caller.refuse(refusal);
  caller.served();
}

Refusal Queue::refusal_of_wait() const {
  return busy("ids of '" + name_ + "' would take longer than max_wait_ms; try again later, or ask for fewer");
}

void Queue::serve_in(std::int64_t ns) {
  timer_.expires_after(std::chrono::nanoseconds(ns));
  timer_.async_wait([this](const boost::system::error_code& error) {
    if (!error) serve();
  });
}

}  // namespace polyflake::server
