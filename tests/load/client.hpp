// The client: connections, the requests under way on them, and what came of all requests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "latencies.hpp"
#include "ledger.hpp"
#include "options.hpp"
#include "socket.hpp"
#include "wire.hpp"

namespace polyflake::load {

struct Result {
  std::size_t requests = 0;  // that were answered, by ids or by an error
  std::size_t late = 0;      // sent too late to be in a percentile
  double seconds = 0;        // from the first request to the last reply
  Ledger ledger;
  std::map<std::string, std::size_t> errors;  // by code; "closed": the connection ended before the reply
  Latencies given;                            // of replies with ids
  Latencies refused;                          // of errors
};

// Thread safety: that of one thread.
class Client {
 public:
  // Opens all connections. Errors: std::runtime_error.
  Client(const Options& options, Result& result);
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // Sends requests on a connection that is open. due_ns: where their latency counts from.
  // in_time: it is counted.
  void ask(std::size_t connection, std::size_t requests, std::int64_t due_ns, bool in_time);

  // Called with a connection whose requests have all been answered. May ask.
  using Idle = std::function<void(std::size_t connection)>;

  // Reads the replies that are there. Blocks until there are some, at most wait_ns.
  // Errors: UnreadableReply.
  void poll(std::int64_t wait_ns, const Idle& idle);

  std::size_t unanswered() const { return unanswered_; }
  std::size_t open() const { return open_; }
  bool is_open(std::size_t connection) const { return !connections_[connection].ended; }

 private:
  // Requests that were sent together.
  struct Sent {
    std::int64_t due_ns;
    std::size_t requests;
    bool in_time;
  };
  struct Connection {
    explicit Connection(const std::string& address) : socket(address) {}
    Socket socket;
    std::string unsent;
    std::string unread;  // the beginning of a reply
    std::deque<Sent> sent;
    std::uint32_t asked = 0, answered = 0;
    std::uint64_t largest = 0;
    bool ended = false;
  };

  void send(std::size_t index);
  void receive(std::size_t index, const Idle& idle);
  std::size_t read_replies(Connection& connection, std::string_view input, std::int64_t arrival_ns);
  void take(Connection& connection, const Reply& reply, std::int64_t arrival_ns);
  void end(Connection& connection);
  void watch(std::size_t index, int operation, bool for_space);

  const Options& options_;
  Result& result_;
  const std::unique_ptr<Wire> wire_;
  const int poll_;
  std::vector<Connection> connections_;
  std::vector<char> buffer_;
  std::vector<std::uint64_t> ids_;  // of one reply
  std::size_t unanswered_ = 0;
  std::size_t open_ = 0;
};

}  // namespace polyflake::load
