// The requests of a connection: reads them, and gets their ids.
#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include <polyflake/clock.hpp>
#include <polyflake/error.hpp>

#include "network/connections.hpp"

namespace polyflake::server {

namespace asio = boost::asio;

// --- requests ------------------------------------------------------------------------------------

// Serves requests until one has to wait, their replies fill a round, or no whole one is left.
Connection::Next Connection::serve(std::string_view input, std::size_t& at) {
  for (;;) {
    const bool more = read_run(input, at);
    if (!run_.empty() && !ask(input.size() - at)) return Next::wait;
    service_.metrics().count_run(counts_, run_, arrived_);
    if (last_ || run_.replies().size() >= kRound) return Next::send;
    if (!more) return run_.replies().empty() ? Next::read : Next::send;
  }
}

// Reads the next requests that want few ids of one queue, or one that wants many. Answers those
// before them that want none. Returns false if no whole request is left.
bool Connection::read_run(std::string_view input, std::size_t& at) {
  run_.begin();
  while (!last_ && run_.wanted() < Queue::kTurn && run_.replies().size() < kRound) {
    const Request request = protocol_->read(input.substr(at));
    if (request.length == 0) return false;
    const bool alone = request.ids > Queue::kFew || request.after != 0;
    if (!run_.empty() && (alone || request.queue != run_.first().queue)) return true;
    const Run::Added added = request.queue == nullptr ? Run::Added::yes : run_.add(*protocol_, request);
    if (added == Run::Added::later) return true;
    at += request.length;
    last_ = request.last;
    stuck_ = 0;
    if (request.queue == nullptr) service_.metrics().count_answer(counts_, protocol_->answer(request, run_.replies()));
    else if (added == Run::Added::refused) service_.metrics().count_answer(counts_, "busy");
    else if (alone) return true;
  }
  return true;
}

// Returns false if the run has to wait, with so many bytes of input behind it.
bool Connection::ask(std::size_t behind) {
  const Request& first = run_.first();
  if (!reserve(behind + run_.replies().size() + run_.wanted() * protocol_->bytes_per_id())) {
    refuse(busy("the replies of all connections fill the memory for them; try again later"));
    return true;
  }
  if (first.after != 0 && !until_after_) return ask_after(first.after);
  return first.queue->ask(*this, first.ids <= Queue::kFew);
}

// Ids are above one of another server as soon as the clock has left the tick of that.
bool Connection::ask_after(std::uint64_t id) {
  const Layout* const layout = run_.first().queue->source().layout();
  std::int64_t wait_ms = 0;
  try {
    if (layout == nullptr) throw Error(ErrorCode::option_invalid, "the numbers of a counter have no time to wait for");
    wait_ms = layout->time_of(layout->unpack(id).tick + 1) - SystemClock::read_ms();
  } catch (const Error& error) {
    refuse(refusal_of(error));
    return true;
  }
  if (wait_ms > service_.limits().max_wait_ms) {
    refuse(
        {Refusal::Kind::unavailable, "clock_behind",
         "the id is " + std::to_string(wait_ms) + " ms ahead of this server's clock; at most max_wait_ms are waited"});
    return true;
  }
  until_after_ =
      std::make_unique<asio::steady_timer>(all_.loop(), std::chrono::milliseconds(std::max<std::int64_t>(wait_ms, 0)));
  until_after_->async_wait([self = shared_from_this()](const boost::system::error_code& error) {
    if (error) return;
    self->guarded([&] {
      const Request& first = self->run_.first();
      first.queue->source().drop_up_to(first.after);
      if (self->ask(self->rest_.size())) self->served();
    });
  });
  return false;
}

// --- ids -----------------------------------------------------------------------------------------

void Connection::take(const IdRange& ids) {
  std::array<std::uint64_t, Queue::kTurn> given;
  ids.write(given.data());
  reply([&] { run_.give(*protocol_, given.data(), ids.count); });
}

void Connection::refuse(const Refusal& refusal) {
  reply([&] { run_.refuse(*protocol_, refusal); });
}

// A queue is in the middle of its turn, so a connection without memory is closed after that.
template <class Step>
void Connection::reply(Step step) noexcept {
  try {
    step();
  } catch (const std::exception&) {
    run_.drop();
    broken_ = true;
  }
}

void Connection::served() {
  guarded([&] {
    until_after_.reset();
    if (!transport_.is_open()) return;
    waits_ = false;
    service_.metrics().count_run(counts_, run_, arrived_);
    go_on(last_ || run_.replies().size() >= kRound ? Next::send : serve_rest());
  });
}

}  // namespace polyflake::server
