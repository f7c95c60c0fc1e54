// Events in made-up time, in their order.
#pragma once

#include <cstdint>
#include <queue>

namespace polyflake::simulation {

enum class What {
  step,
  wake,
  start,
  request,
  reply,
  fault,
  promotion,  // this and the others are of one kind of schedule each
  heal,
  interlude,
  failover,
  replicate,
  relink,
  bounce,
  operation
};

struct Event {
  What what;
  std::uint64_t subject = 0;  // serial of a process, or number of another thing
  std::int64_t at_ms = 0;
  std::uint64_t order = 0;
  bool operator<(const Event& other) const { return at_ms != other.at_ms ? at_ms > other.at_ms : order > other.order; }
};

class Events {
 public:
  void add(std::int64_t at_ms, Event event) {
    event.at_ms = at_ms;
    event.order = ++order_;
    queue_.push(event);
  }
  bool has_one_until(std::int64_t end_ms) const { return !queue_.empty() && queue_.top().at_ms <= end_ms; }
  // Requires: there is one.
  Event take() {
    const Event event = queue_.top();
    queue_.pop();
    return event;
  }

 private:
  std::uint64_t order_ = 0;
  std::priority_queue<Event> queue_;
};

}  // namespace polyflake::simulation
