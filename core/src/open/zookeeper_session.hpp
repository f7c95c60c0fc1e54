// A session of ZooKeeper's client for one thread, with a deadline for each call.
#pragma once

#include <polyflake/command.hpp>

#include <memory>
#include <optional>
#include <string>

#include <zookeeper/zookeeper.h>

#include "open/server_address.hpp"
#include "os/client_handle.hpp"
#include "os/connection.hpp"

namespace polyflake {

// Errors of all calls: CommandFailure with the number of an error of ZooKeeper or the name of a
// system error, ConnectionFailure; then the caller must close it. Thread safety: one call at a
// time.
class ZooKeeperSession {
 public:
  using Deadline = Connection::Deadline;

  ZooKeeperSession();
  ZooKeeperSession(const ZooKeeperSession&) = delete;
  ZooKeeperSession& operator=(const ZooKeeperSession&) = delete;

  bool is_open() const noexcept { return client_.is_open(); }
  // Returns true if it is open in this process, is not about to expire, and the server did not end
  // it.
  bool is_usable();

  // Requires: it is closed. folder: "" or "/services". Blocks: until the deadline; longer only if
  // the system looks up the name of the host for longer.
  void open(const ServerPlace& place, const std::string& folder, const std::optional<Login>& login, Deadline deadline);

  // Blocks: until the deadline.
  lease::Reply ask(const lease::Command& command, Deadline deadline);

  // Ends the connection without a word to the server, which may hang. The session expires there.
  void close() noexcept { client_.close(); }
  void forget() noexcept { client_.forget(); }

 private:
  class Exchange;
  struct Client {
    ~Client();

    zhandle_t* handle = nullptr;
    int socket = -1;
    // Lasts until its answers came or the handle is closed, which writes to it. In a copy of the
    // process it is given up with that.
    std::unique_ptr<Exchange> exchange;
  };

  void connect(const std::string& server, const std::optional<Login>& login, Deadline deadline);
  int turn(Deadline deadline);

  ClientHandle<Client> client_;
  Connection::Deadline used_;  // the last answer came then
};

}  // namespace polyflake
