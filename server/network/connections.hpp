// All connections of the server, and the buffers that they share.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/intrusive/list.hpp>

#include "ids/service.hpp"
#include "network/connection.hpp"
#include "network/protocol.hpp"
#include "network/run.hpp"
#include "network/transport.hpp"

namespace polyflake::server {

// Thread safety: that of the event loop.
class Connections {
 public:
  Connections(boost::asio::io_context& loop, Service& service);
  ~Connections();

  // Begins to serve a client, or turns it away if there are too many.
  void add(Transport transport, std::unique_ptr<Protocol> protocol);
  // Lets each finish. Then empty() becomes true.
  void finish();
  void close();
  bool empty() const { return all_.empty(); }

  // Counts the clients that shake hands under TLS. Each takes 0.2 MB while it does.
  std::size_t& handshakes() { return handshakes_; }

  // For connections:
  boost::asio::io_context& loop() { return loop_; }
  void leave(Connection& connection);
  // The buffer for what is read: its content is served before anything else is read.
  std::array<char, 64 * 1024>& input() { return input_; }
  // Memory for runs, which goes from one connection to the next: most requests are served at once.
  void lend(Run& run) { std::swap(run, spare_); }
  void take_back(Run& run);
  // The same for the buffer of its replies alone. Requires: it is empty.
  void take_back_buffer(Run& run);

 private:
  bool is_better_spare(const Run& run) const;
  void look_for_stuck_ones();

  boost::asio::io_context& loop_;
  Service& service_;
  boost::asio::steady_timer timer_;
  boost::intrusive::list<Connection, boost::intrusive::base_hook<
                                         boost::intrusive::list_base_hook<boost::intrusive::tag<ListOfConnections>>>>
      all_;
  std::size_t handshakes_ = 0;
  std::array<char, 64 * 1024> input_{};
  std::size_t turned_away_ = 0;  // of all
  Run spare_;
};

}  // namespace polyflake::server
