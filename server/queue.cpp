#include "queue.hpp"

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
      longest_wait_ns_(static_cast<double>(max_wait_ms) * 1e6),
      timer_(loop) {}

bool Queue::ask(Caller& caller, bool few) {
  if (wait_ns(caller.wanted(), few) > longest_wait_ns_) {
    caller.refuse(refusal_of_wait());
    return true;
  }
  if (!serving_ && is_empty()) serve_at_once(caller);
  if (caller.wanted() == 0) return true;
  enter(caller, few);
  return false;
}

void Queue::serve_at_once(Caller& caller) {
  try {
    while (caller.wanted() != 0) {
      const Source::Answer answer = source_->take(std::min(caller.wanted(), kTurn));
      if (answer.ids.count == 0 && is_too_long(answer)) return caller.refuse(refusal_of_wait());
      if (answer.ids.count == 0) return serve_in(answer.wait_ns);
      caller.take(answer.ids);
    }
  } catch (const std::exception& failure) {
    caller.refuse(refusal_of(failure));
  }
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

bool Queue::is_too_long(const Source::Answer& answer) const {
  return static_cast<double>(answer.wait_ns) > longest_wait_ns_;
}

Refusal Queue::refusal_of_wait() const {
  return busy("ids of '" + name_ + "' would take longer than max_wait_ms; try again later, or ask for fewer");
}

void Queue::enter(Caller& caller, bool few) {
  Line& line = few ? few_ : many_;
  caller.queue_ = this;
  caller.few_ = few;
  caller.counted_ = caller.wanted();
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
  constexpr int kTurnsAtOnce = 64;  // then other connections are read
  serving_ = true;
  int turns = 0;
  while (!is_empty() && turns < kTurnsAtOnce && serve_turn()) ++turns;
  serving_ = false;
  if (is_empty()) source_->drop();
  else if (turns == kTurnsAtOnce) serve_in(0);
}

bool Queue::serve_turn() {
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
    if (is_too_long(answer)) refuse_all(refusal_of_wait());
    else serve_in(answer.wait_ns);
    return false;
  }
  ++turn_;
  caller.take(answer.ids);
  line.wanted -= answer.ids.count;
  caller.counted_ -= answer.ids.count;
  if (caller.wanted() != 0) {
    line.callers.splice(line.callers.end(), line.callers, line.callers.begin());
  } else {
    caller.leave();
    caller.served();
  }
  return true;
}

Queue::Line& Queue::line_of_turn() {
  const bool turn_of_many = turn_ % 4 == 3;
  Line& first = turn_of_many ? many_ : few_;
  return first.callers.empty() ? (turn_of_many ? few_ : many_) : first;
}

void Queue::refuse_all(const Refusal& refusal) {
  // Those who ask again meanwhile wait at the end: each is refused once.
  const std::size_t refused = few_.callers.size() + many_.callers.size();
  for (std::size_t i = 0; i < refused && !is_empty(); ++i) {
    Caller& caller = line_of_turn().callers.front();
    ++turn_;
    caller.leave();
    caller.refuse(refusal);
    caller.served();
  }
  if (!is_empty()) serve_in(0);
}

void Queue::serve_in(std::int64_t ns) {
  timer_.expires_after(std::chrono::nanoseconds(ns));
  timer_.async_wait([this](const boost::system::error_code& error) {
    if (!error) serve();
  });
}

}  // namespace polyflake::server
