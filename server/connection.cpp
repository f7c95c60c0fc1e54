#include "connection.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include <boost/asio/post.hpp>

#include <polyflake/clock.hpp>
#include <polyflake/error.hpp>

#include "connections.hpp"

namespace polyflake::server {
namespace {

namespace asio = boost::asio;

constexpr std::size_t kRound = 64 * 1024;  // bytes of replies, which are sent before more are made
constexpr std::size_t kSmall = 4096;       // bytes for which nothing is reserved
constexpr int kPatience = 6;               // of close_if_stuck(): half a minute

}  // namespace

Connection::Connection(Transport transport, std::unique_ptr<Protocol> protocol, Service& service, Connections& all)
    : transport_(std::move(transport)), protocol_(std::move(protocol)), service_(service), all_(all) {}

void Connection::open() {
  open_ = shared_from_this();
  transport_.limit_handshake([self = open_] { self->close(); });
}

void Connection::start() {
  open();
  wait_for_input();
}

void Connection::turn_away() {
  open();
  turned_away_ = true;
  guarded([&] {
    protocol_->refuse_connection(run_.replies());
    last_ = true;
    go_on(Next::send);
  });
}

void Connection::finish() {
  finishing_ = true;
  if (ending_) return close();
  if (!waits_ && !writing_) guarded([&] { on_input(); });
}

void Connection::close() noexcept {
  if (!transport_.is_open()) return;
  const auto self = std::move(open_);
  transport_.close();
  if (until_after_) until_after_->cancel();
  Caller::leave();
  service_.release(std::exchange(reserved_, 0));
  all_.leave(*this);
}

void Connection::close_if_stuck() {
  if (waits_) return;
  if (!rest_.empty() || writing_ || ending_ || transport_.in_record()) ++stuck_;
  if (stuck_ >= kPatience) close();
}

// --- input ---------------------------------------------------------------------------------------

// No exception leaves a handler: one connection ends, the others go on.
template <class Step>
void Connection::guarded(Step step) noexcept {
  try {
    step();
  } catch (const std::exception&) {
    close();
  }
}

void Connection::wait_for_input() {
  all_.take_back(run_);
  transport_.wait_to_read([self = shared_from_this()](const boost::system::error_code& error) {
    if (!error) self->guarded([&] { self->on_input(); });
  });
}

void Connection::on_input() {
  if (waits_ || writing_) return;  // finish() read before this was called
  boost::system::error_code error;
  auto& input = all_.input();
  static_assert(sizeof(input) >= TlsSession::kRecord);
  const std::size_t received = transport_.read_some(asio::buffer(input), error);
  if (Transport::would_block(error)) return finishing_ && !ending_ ? end() : wait_for_input();
  if (error) return transport_.has_explained() ? end() : close();
  arrived_ = Metrics::Clock::now();
  if (ending_) return wait_for_input();  // the client has its last reply: what follows is dropped
  all_.lend(run_);
  if (!rest_.empty()) {
    rest_.append(input.data(), received);
    return go_on(serve_rest());
  }
  std::size_t at = 0;
  const Next next = serve({input.data(), received}, at);
  rest_.assign(input.data() + at, received - at);
  go_on(next);
}

void Connection::go_on(Next next) {
  while (next == Next::send) {
    if (broken_) return close();
    if (!send()) return;
    if (last_) return end();
    next = serve_rest();
  }
  if (broken_) return close();
  waits_ = next == Next::wait;
  if (waits_) {  // replies do not wait for ids of others, and no buffer waits with it
    if (send_some() && run_.replies().empty()) all_.take_back_buffer(run_);
    return;
  }
  if (!reserve(rest_.size())) return close();
  if (!finishing_) return wait_for_input();
  // Once more, for what has arrived meanwhile.
  asio::post(all_.loop(), [self = shared_from_this()] { self->guarded([&] { self->on_input(); }); });
}

Connection::Next Connection::serve_rest() {
  std::size_t at = 0;
  const Next next = serve(rest_, at);
  rest_.erase(0, at);
  if (rest_.empty()) rest_.shrink_to_fit();
  return next;
}

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

// --- output --------------------------------------------------------------------------------------

// Sends as much as the client takes. Returns false if the connection is closed.
bool Connection::send_some() {
  if (run_.replies().empty()) return true;
  boost::system::error_code error;
  const std::size_t sent = transport_.write_some(asio::buffer(run_.replies()), error);
  if (error && !Transport::would_block(error)) {
    close();
    return false;
  }
  if (sent != 0) stuck_ = 0;
  run_.replies().erase(0, sent);
  return true;
}

// Returns false if it must wait for the client, or the connection is closed.
bool Connection::send() {
  if (!send_some()) return false;
  if (!run_.replies().empty()) {
    if (!reserve(run_.replies().size() + rest_.size())) {
      close();
      return false;
    }
    wait_for_room();
    return false;
  }
  reserve(0);
  return true;
}

void Connection::wait_for_room() {
  writing_ = true;
  transport_.wait_to_write([self = shared_from_this()](const boost::system::error_code& error) {
    if (error) return;
    self->writing_ = false;
    self->guarded([&] { self->go_on(Next::send); });
  });
}

// Says that nothing follows, and waits for the client to close: what it still sends would make the
// system throw the replies away.
void Connection::end() {
  boost::system::error_code error;
  last_ = true;
  transport_.shut_down(error);
  if (Transport::would_block(error)) return wait_for_room();
  if (error || finishing_) return close();
  ending_ = true;
  rest_.clear();
  wait_for_input();
}

// Reserves memory for what the connection holds. Returns false if all of them hold too much.
bool Connection::reserve(std::size_t bytes) {
  if (bytes <= kSmall) bytes = 0;
  if (bytes > reserved_ && !service_.reserve(bytes - reserved_)) return false;
  if (bytes < reserved_) service_.release(reserved_ - bytes);
  reserved_ = bytes;
  return true;
}

}  // namespace polyflake::server
