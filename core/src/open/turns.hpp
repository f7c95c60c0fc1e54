// One of several servers of a store, of which some may be down or hang.
#pragma once

#include <polyflake/command.hpp>

#include <chrono>
#include <cstddef>
#include <exception>

#include "os/connection.hpp"

namespace polyflake {

// Whose turn it is. The server that serves keeps it; one that fails loses it to the next one.
class Turns {
 public:
  // servers: at least 1.
  explicit Turns(std::size_t servers) : servers_(servers) {}

  void pass_on() noexcept { present_ = (present_ + 1) % servers_; }

  // Connects to the first server that answers, and gives it the turn. Each gets an equal share of
  // the time that is left, since one that hangs must not take it all. connect(server, deadline)
  // raises CommandFailure or ConnectionFailure. Errors: that of the last server.
  template <class Connect>
  void connect(Connection::Deadline deadline, const Connect& connect) {
    for (std::size_t left = servers_; left > 0; --left) {
      const auto now = std::chrono::steady_clock::now();
      try {
        return connect(present_, now + (deadline - now) / static_cast<int>(left));
      } catch (const std::runtime_error&) {  // both kinds
        pass_on();
        if (left == 1) throw;
      }
    }
  }

 private:
  const std::size_t servers_;
  std::size_t present_ = 0;
};

}  // namespace polyflake
