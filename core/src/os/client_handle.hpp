// The connection of a client library of C. POSIX systems only.
#pragma once

#include <polyflake/detail/execution.hpp>

#include <cstdint>
#include <memory>
#include <utility>

#include <sys/socket.h>

#include "os/connection.hpp"
#include "os/posix_descriptor.hpp"

namespace polyflake {

// Belongs to the execution that began it. In a copy of the process it counts as closed: to end it
// there would end that of the original, so its memory is given up, and its socket alone is closed.
template <class Handle>
class ClientHandle {
 public:
  // end: frees a handle and closes its socket, without blocking. socket_of: returns its socket; a
  // negative number once it has closed that.
  ClientHandle(void (*end)(Handle*), int (*socket_of)(const Handle*)) : end_(end), socket_of_(socket_of) {}
  ~ClientHandle() {
    if (is_present()) close();
    else forget();
  }
  ClientHandle(const ClientHandle&) = delete;
  ClientHandle& operator=(const ClientHandle&) = delete;

  // Takes over the handle that make() returns, which is about to connect; null: none. Requires: it
  // has none, or that of the original of this copy.
  template <class Make>
  void begin(const Make& make) {
    forget();
    execution_ = Execution::current();  // before: a signal handler may copy the process in make()
    handle_ = make();
  }
  // Takes over its socket once it is connected. Errors: ConnectionFailure.
  void hold(int fd) {
    auto socket = std::make_unique<Descriptor>();
    if (!socket->hold(fd)) throw ConnectionFailure("", "the socket was closed by another user of this process");
    socket_ = std::move(socket);
  }

  // Returns the handle. Errors: ConnectionFailure if a copy of the process, or an application that
  // closes all descriptors, took it away meanwhile.
  Handle* get() const {
    if (is_present() && !is_taken_away()) return handle_;
    throw ConnectionFailure("", "the connection is not open in this process");
  }
  // Returns true once it is connected, until get() would fail.
  bool is_open() const noexcept { return is_present() && socket_ != nullptr && socket_->ours(); }

  // Ends it for both sides. In a copy of the process it does nothing.
  void close() noexcept {
    if (!is_present()) return;
    if (is_open()) ::shutdown(socket_->number(), SHUT_RDWR);  // also for copies of the descriptor
    const bool taken_away = is_taken_away();
    if (socket_ != nullptr) socket_->give_up();
    if (!taken_away) end_(handle_);
    handle_ = nullptr;
    socket_.reset();
  }
  // In a copy of the process: forgets the handle of the original, which another thread may have
  // been changing.
  void forget() noexcept {
    if (is_present()) return;
    handle_ = nullptr;
    static_cast<void>(socket_.release());
  }

 private:
  bool is_present() const noexcept { return handle_ != nullptr && execution_ == Execution::current(); }

  // Its number may be that of a file of the application now, which must stay open.
  bool is_taken_away() const noexcept { return socket_ != nullptr && !socket_->ours() && socket_of_(handle_) >= 0; }

  void (*const end_)(Handle*);
  int (*const socket_of_)(const Handle*);
  Handle* handle_ = nullptr;
  std::unique_ptr<Descriptor> socket_;
  std::uint64_t execution_ = 0;
};

}  // namespace polyflake
