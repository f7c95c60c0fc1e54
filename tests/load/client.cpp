#include "client.hpp"

#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <ctime>

namespace polyflake::load {
namespace {

constexpr std::size_t kBuffer = std::size_t{1} << 20;

timespec as_timespec(std::int64_t ns) {
  return {static_cast<time_t>(ns / 1'000'000'000), static_cast<long>(ns % 1'000'000'000)};
}

}  // namespace

Client::Client(const Options& options, Result& result)
    : options_(options),
      result_(result),
      wire_(wire_of(options)),
      poll_(epoll_create1(EPOLL_CLOEXEC)),
      buffer_(kBuffer) {
  connections_.reserve(options.connections);
  for (std::size_t i = 0; i < options.connections; ++i) {
    connections_.emplace_back(options.address);
    if (options.mode == Options::Mode::open_loop) connections_.back().socket.note_arrivals();
    watch(i, EPOLL_CTL_ADD, false);
  }
  open_ = connections_.size();
}

Client::~Client() { close(poll_); }

void Client::watch(std::size_t index, int operation, bool for_space) {
  epoll_event event{};
  event.events = EPOLLIN | (for_space ? EPOLLOUT : 0U);
  event.data.u64 = index;
  epoll_ctl(poll_, operation, connections_[index].socket.descriptor(), &event);
}

void Client::ask(std::size_t index, std::size_t requests, std::int64_t due_ns, bool in_time) {
  Connection& connection = connections_[index];
  const bool waits_for_space = !connection.unsent.empty();
  for (std::size_t i = 0; i < requests; ++i) wire_->ask(connection.asked++, connection.unsent);
  connection.sent.push_back({due_ns, requests, in_time});
  unanswered_ += requests;
  if (!waits_for_space) send(index);
}

// If the connection has ended, receive() notices.
void Client::send(std::size_t index) {
  Connection& connection = connections_[index];
  const std::size_t sent = connection.socket.send(connection.unsent).value_or(connection.unsent.size());
  const bool had_space = sent == connection.unsent.size();
  connection.unsent.erase(0, sent);
  if (!had_space) watch(index, EPOLL_CTL_MOD, true);
}

void Client::poll(std::int64_t wait_ns, const Idle& idle) {
  std::array<epoll_event, 256> events;
  const timespec wait = as_timespec(std::max<std::int64_t>(0, wait_ns));
  const int count = epoll_pwait2(poll_, events.data(), static_cast<int>(events.size()), &wait, nullptr);
  for (int i = 0; i < count; ++i) {
    const epoll_event& event = events[static_cast<std::size_t>(i)];
    const std::size_t index = event.data.u64;
    if (event.events & EPOLLOUT) {
      watch(index, EPOLL_CTL_MOD, false);
      send(index);
    }
    if (event.events & ~std::uint32_t{EPOLLOUT}) receive(index, idle);
  }
}

void Client::receive(std::size_t index, const Idle& idle) {
  Connection& connection = connections_[index];
  const std::size_t kept = connection.unread.size();
  if (buffer_.size() < kept + kBuffer / 2) buffer_.resize(2 * buffer_.size());
  std::copy(connection.unread.begin(), connection.unread.end(), buffer_.begin());
  const auto received = connection.socket.receive(buffer_.data() + kept, buffer_.size() - kept);
  if (!received) return end(connection);
  const std::string_view input(buffer_.data(), kept + received->bytes);
  const std::size_t done = read_replies(connection, input, now_ns() - received->age_ns);
  connection.unread.assign(input.substr(done));
  if (connection.sent.empty() && received->bytes > 0) idle(index);
}

// Returns how many bytes the whole replies took.
std::size_t Client::read_replies(Connection& connection, std::string_view input, std::int64_t arrival_ns) {
  std::size_t done = 0;
  while (done < input.size()) {
    if (connection.sent.empty()) throw UnreadableReply("there is a reply that no request was sent for");
    ids_.clear();
    const Reply reply = wire_->read(input.substr(done), connection.answered, ids_);
    if (reply.length == 0) break;
    done += reply.length;
    take(connection, reply, arrival_ns);
  }
  return done;
}

void Client::take(Connection& connection, const Reply& reply, std::int64_t arrival_ns) {
  Sent& sent = connection.sent.front();
  const std::int64_t latency_ns = arrival_ns - sent.due_ns;
  const bool given = reply.error.empty();
  if (given && ids_.size() != options_.ids_wanted()) {
    throw UnreadableReply("a reply has " + std::to_string(ids_.size()) + " ids, but " +
                          std::to_string(options_.ids_wanted()) + " were asked for");
  }
  if (given) result_.ledger.add(ids_, connection.largest);
  else ++result_.errors[reply.error];
  if (sent.in_time) (given ? result_.given : result_.refused).add(latency_ns);
  ++result_.requests;
  ++connection.answered;
  --unanswered_;
  if (--sent.requests == 0) connection.sent.pop_front();
}

void Client::end(Connection& connection) {
  std::size_t lost = 0;
  for (const Sent& sent : connection.sent) lost += sent.requests;
  if (lost > 0) result_.errors["closed"] += lost;
  unanswered_ -= lost;
  connection.sent.clear();
  connection.ended = true;
  --open_;
  epoll_ctl(poll_, EPOLL_CTL_DEL, connection.socket.descriptor(), nullptr);
}

}  // namespace polyflake::load
