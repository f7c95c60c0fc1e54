// A connection to the server, non-blocking once it is open.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace polyflake::load {

// Returns ns of the monotonic clock.
std::int64_t now_ns();

class Socket {
 public:
  // Connects. Blocks until it is accepted. Errors: std::runtime_error.
  explicit Socket(const std::string& address);
  ~Socket();
  Socket(Socket&& other) noexcept;
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  int descriptor() const { return descriptor_; }

  // Has the kernel note when bytes arrive, for receive().
  void note_arrivals();

  // Sends what the kernel takes at once. Returns how many bytes, or nothing if the connection ended.
  std::optional<std::size_t> send(std::string_view bytes);

  // age_ns: how long ago the last of them arrived; 0 without note_arrivals() and on a Unix socket.
  struct Received {
    std::size_t bytes;
    std::int64_t age_ns;
  };
  // Reads what is there, 0 bytes if nothing is. Returns nothing if the connection ended.
  std::optional<Received> receive(char* buffer, std::size_t size);

  // Returns true if the server has ended the connection, as far as the kernel knows: it does not if
  // the end comes after bytes that this side has not read.
  bool has_ended() const;

 private:
  int descriptor_ = -1;
};

// Lets this process open as many connections as the system allows it.
void raise_descriptor_limit();

}  // namespace polyflake::load
