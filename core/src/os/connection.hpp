// A connection to a server over TCP, with a deadline for each call. POSIX systems only.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polyflake {

class Descriptor;

// The failure of a connection, with the name of the system's error: "ECONNREFUSED", "ENOTFOUND" for
// an unknown host, "ETIMEDOUT" also at the deadline, "" for rare ones.
class ConnectionFailure : public std::runtime_error {
 public:
  ConnectionFailure(std::string code, const std::string& reason) : std::runtime_error(reason), code_(std::move(code)) {}
  const std::string& code() const noexcept { return code_; }

 private:
  std::string code_;
};

// Says what a socket is ready for; at its end, and after an error, for both.
struct Readiness {
  bool to_read = false, to_write = false;
};

// Returns what the socket is ready for of what is wanted; nothing at the deadline. Blocks: until
// then. Errors: ConnectionFailure.
Readiness await_socket(int fd, Readiness wanted, std::chrono::steady_clock::time_point deadline);
// Returns true if the socket has no byte to be received, and the server did not end it.
bool is_quiet_socket(int fd) noexcept;

// Returns the addresses of a host as numbers, such as "127.0.0.1" and "::1", the preferred one
// first. Blocks: while the system looks up the name. Errors: ConnectionFailure.
std::vector<std::string> numeric_hosts(const std::string& host, const std::string& port);

// Returns the name of a system error for messages and advice; "" for rare ones.
const char* connection_error_name(int error) noexcept;

// Belongs to the execution that opened it: in a copy of the process it counts as closed, and
// nothing is sent, received or shut down there. Raises no SIGPIPE. After an error the caller must
// close it.
// Thread safety: one call at a time.
class Connection {
 public:
  using Deadline = std::chrono::steady_clock::time_point;

  Connection();
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  bool is_open() const noexcept;
  // Returns true if it is open, has no byte to be received, and the server did not end it.
  bool is_quiet() const noexcept;

  // Requires: it is not open. Errors: ConnectionFailure. Blocks: until the deadline; longer only if
  // the system looks up the name of the host for longer.
  void open(const std::string& host, const std::string& port, Deadline deadline);
  // Sends all of it. Blocks: until the deadline. Errors: ConnectionFailure.
  void send(std::string_view bytes, Deadline deadline);
  // Returns the number of bytes received, at least 1. Blocks, errors: as send(); the end of the
  // connection is ECONNRESET.
  std::size_t receive(char* bytes, std::size_t most, Deadline deadline);
  // Ends the connection for both sides. In a copy of the process it does nothing.
  void close() noexcept;
  // In a copy of the process: forgets the connection of the original.
  void forget() noexcept;

 private:
  int number() const;

  std::unique_ptr<Descriptor> socket_;
  std::uint64_t execution_ = 0;
};

}  // namespace polyflake
