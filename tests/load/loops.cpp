#include "loops.hpp"

#include <sys/prctl.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <thread>

namespace polyflake::load {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kGrace = 5 * kSecond;  // for the last replies

std::int64_t ns_of(double seconds) { return static_cast<std::int64_t>(seconds * kSecond); }

// Blocks until all requests are answered, at most for kGrace. The rest counts as errors.
void wait_for_rest(Client& client, Result& result, std::int64_t begin_ns) {
  const std::int64_t end = now_ns() + kGrace;
  while (client.unanswered() > 0 && now_ns() < end) client.poll(end - now_ns(), [](std::size_t) {});
  result.seconds = static_cast<double>(now_ns() - begin_ns) / kSecond;
  if (client.unanswered() > 0) result.errors["unanswered"] += client.unanswered();
}

// The connections that wait for work, the one that has waited longest first.
class Turns {
 public:
  Turns(const Client& client, std::size_t connections) : client_(client), connections_(connections) {
    for (std::size_t i = 0; i < connections; ++i) idle_.push_back(i);
  }

  void add(std::size_t connection) { idle_.push_back(connection); }

  // Requires: one is open.
  std::size_t next() {
    while (!idle_.empty()) {
      const std::size_t found = idle_.front();
      idle_.pop_front();
      if (client_.is_open(found)) return found;
    }
    do {
      turn_ = (turn_ + 1) % connections_;
    } while (!client_.is_open(turn_));
    return turn_;
  }

 private:
  const Client& client_;
  const std::size_t connections_;
  std::deque<std::size_t> idle_;
  std::size_t turn_ = 0;
};

}  // namespace

void run_closed_loop(const Options& options, Client& client, Result& result) {
  const std::int64_t begin = now_ns();
  const std::int64_t end = begin + ns_of(options.seconds);
  const Client::Idle again = [&](std::size_t connection) {
    const std::int64_t now = now_ns();
    if (now < end) client.ask(connection, options.depth, now, true);
  };
  for (std::size_t i = 0; i < options.connections; ++i) again(i);
  while (now_ns() < end && client.open() > 0) client.poll(end - now_ns(), again);
  wait_for_rest(client, result, begin);
}

void run_open_loop(const Options& options, Client& client, Result& result) {
  prctl(PR_SET_TIMERSLACK, 1UL);  // the kernel would wake this thread 50 us late
  const auto total = static_cast<std::int64_t>(options.rate * options.seconds);
  const std::int64_t late_ns = ns_of(options.late_ms / 1000);
  Turns turns(client, options.connections);
  const Client::Idle idle = [&](std::size_t connection) { turns.add(connection); };
  const std::int64_t begin = now_ns();
  for (std::int64_t k = 0; k < total && client.open() > 0; ++k) {
    const std::int64_t due = begin + ns_of(static_cast<double>(k) / options.rate);
    while (now_ns() < due) client.poll(due - now_ns(), idle);
    if (client.open() == 0) break;
    const bool in_time = now_ns() - due <= late_ns;
    client.ask(turns.next(), 1, due, in_time);
    if (!in_time) ++result.late;
  }
  wait_for_rest(client, result, begin);
}

void run_idle(const Options& options, Client& client, Result& result) {
  const std::int64_t begin = now_ns();
  const std::int64_t end = begin + ns_of(options.seconds);
  while (now_ns() < end && client.open() > 0) client.poll(end - now_ns(), [](std::size_t) {});
  for (std::size_t i = 0; i < options.connections; ++i) {
    if (client.is_open(i)) client.ask(i, 1, now_ns(), true);
    client.poll(0, [](std::size_t) {});
  }
  wait_for_rest(client, result, begin);
}

std::size_t run_never_read(const Options& options) {
  const std::unique_ptr<Wire> wire = wire_of(options);
  std::string requests;
  for (std::size_t i = 0; i < options.depth; ++i) wire->ask(static_cast<std::uint32_t>(i), requests);
  struct Hostile {
    Socket socket;
    std::size_t sent = 0;
    bool ended = false;
  };
  std::vector<Hostile> all;
  for (std::size_t i = 0; i < options.connections; ++i) all.push_back({Socket(options.address)});
  const std::int64_t end = now_ns() + ns_of(options.seconds);
  while (now_ns() < end) {
    for (Hostile& one : all) {
      if (one.ended || one.sent == requests.size()) continue;
      const auto sent = one.socket.send(std::string_view(requests).substr(one.sent));
      one.ended = !sent.has_value();
      one.sent += sent.value_or(0);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  const auto is_closed = [](const Hostile& one) { return one.ended || one.socket.has_ended(); };
  return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), is_closed));
}

}  // namespace polyflake::load
