// Ticket servers: databases that already hand out numbers, server k of m those that are k modulo m.
//
// The rules alone: which server to ask, and whether its answer is believed. Each answer is
// verified, since nothing else keeps the servers apart. For new systems a counter is the better
// choice. Thread safety: one call at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace polyflake::count {

class TicketServers {
 public:
  // Requires: count > 0. Servers have the numbers 1 to count.
  explicit TicketServers(std::size_t count) : servers_(count) {}

  // Returns the server to ask, the least recently used one that is up and is not being asked. It is
  // being asked until release(). Nothing if there is none: the caller waits if another one is being
  // asked, else this is store_unavailable.
  std::optional<std::size_t> next(std::int64_t mono_ms);
  void release(std::size_t server) { servers_[server - 1].is_asked = false; }

  // Counts the servers that are up.
  struct Up {
    std::size_t free = 0;
    std::size_t asked = 0;  // are being asked
  };
  Up up(std::int64_t mono_ms) const;

  enum class Verdict {
    id,             // the number is an id
    again,          // the session has lost its settings: set them, and ask this server once more
    misconfigured,  // the server is out permanently, and the call ends with store_misconfigured
    went_back,      // the same, with store_went_back
  };
  // Judges a number that a server gave in answer to one statement.
  Verdict answered(std::size_t server, std::uint64_t number);

  // Takes a server out for 1, 2, 4 ... 30 s, longer after each failure in a row.
  void failed(std::size_t server, std::int64_t mono_ms);

 private:
  struct Server {
    std::uint64_t used = 0;              // the count of calls when it was last asked
    std::uint64_t largest = 0;           // number given
    std::int64_t out_until = INT64_MIN;  // mono ms
    unsigned failures = 0;               // in a row
    bool is_asked = false;
    bool asked_again = false;
    bool out_for_good = false;
    bool is_up(std::int64_t mono_ms) const { return !out_for_good && mono_ms >= out_until; }
  };

  std::vector<Server> servers_;
  std::uint64_t calls_ = 0;
};

}  // namespace polyflake::count
