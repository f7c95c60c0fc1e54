#include "network/connection.hpp"

#include <utility>

#include <boost/asio/post.hpp>

#include "network/connections.hpp"

namespace polyflake::server {
namespace {

namespace asio = boost::asio;

constexpr std::size_t kSmall = 4096;  // bytes for which nothing is reserved
constexpr int kPatience = 6;          // of close_if_stuck(): half a minute

}  // namespace

Connection::Connection(Transport transport, std::unique_ptr<Protocol> protocol, Service& service, Connections& all)
    : transport_(std::move(transport)), protocol_(std::move(protocol)), service_(service), all_(all) {}

void Connection::start(bool one_too_many) {
  open_ = shared_from_this();
  turned_away_ = last_ = one_too_many;
  guarded([&] {
    transport_.limit_handshake(all_.handshakes(), [self = open_] { self->close(); });
    if (!one_too_many) return wait_for_input();
    protocol_->refuse_connection(run_.replies());
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
  if (Transport::would_block(error)) {
    const bool at_end = finishing_ && !ending_ && !transport_.in_handshake();
    return at_end ? end() : wait_for_input();
  }
  if (error) return transport_.has_explained() && !ending_ ? end() : close();
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
