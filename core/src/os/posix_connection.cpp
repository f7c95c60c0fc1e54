#include <polyflake/detail/execution.hpp>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <memory>

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "os/connection.hpp"
#include "os/failure.hpp"
#include "os/posix_descriptor.hpp"

namespace polyflake {
namespace {

#if defined(MSG_NOSIGNAL)
constexpr int kNoSignal = MSG_NOSIGNAL;
#else
constexpr int kNoSignal = 0;  // SO_NOSIGPIPE does it
#endif

constexpr Readiness kToRead{true, false}, kToWrite{false, true};

constexpr struct {
  int number;
  const char* name;
} kErrors[] = {{ECONNREFUSED, "ECONNREFUSED"}, {EHOSTUNREACH, "EHOSTUNREACH"}, {ENETUNREACH, "ENETUNREACH"},
               {ETIMEDOUT, "ETIMEDOUT"},       {ECONNRESET, "ECONNRESET"},     {EPIPE, "EPIPE"}};

[[noreturn]] void fail(const char* action, int error) {
  errno = error;
  throw ConnectionFailure(connection_error_name(error),
                          std::string("cannot ") + action + ": " + platform::last_error());
}

[[noreturn]] void fail_at_end() { throw ConnectionFailure("ECONNRESET", "the server ended the connection"); }

// Blocks: until it is ready for one of these. Errors: ConnectionFailure at the deadline.
void wait_for(int fd, Readiness wanted, Connection::Deadline deadline) {
  const Readiness ready = await_socket(fd, wanted, deadline);
  if (!ready.to_read && !ready.to_write) {
    throw ConnectionFailure("ETIMEDOUT", "the time for the command is over");
  }
}

bool would_block(int error) { return error == EAGAIN || error == EWOULDBLOCK || error == EINTR; }

using Addresses = std::unique_ptr<addrinfo, void (*)(addrinfo*)>;

// Looks up a name only if the host is not an address: the system may take any time for it.
Addresses addresses_of(const std::string& host, const std::string& port) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  int failed = ::getaddrinfo(host.c_str(), port.c_str(), &hints, &found);
  if (failed == EAI_NONAME) {
    hints.ai_flags = AI_NUMERICSERV;
    failed = ::getaddrinfo(host.c_str(), port.c_str(), &hints, &found);
  }
  if (failed != 0) throw ConnectionFailure("ENOTFOUND", std::string("cannot find the host: ") + ::gai_strerror(failed));
  return {found, ::freeaddrinfo};
}

// Returns a socket that never blocks, and is not handed on to other programs; -1 with errno set.
int make_socket(const addrinfo& address) {
#if defined(SOCK_CLOEXEC)
  constexpr int kCloseOnExec = SOCK_CLOEXEC;
#else
  constexpr int kCloseOnExec = 0;
#endif
  const int fd = ::socket(address.ai_family, address.ai_socktype | kCloseOnExec, address.ai_protocol);
  if (fd < 0) return fd;
  const int on = 1;
  ::fcntl(fd, F_SETFD, FD_CLOEXEC);
  ::fcntl(fd, F_SETFL, O_NONBLOCK);
  ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
#if defined(SO_NOSIGPIPE)
  ::setsockopt(fd, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
  return fd;
}

// Returns 0, or the error.
int connect(int fd, const addrinfo& address, Connection::Deadline deadline) {
  if (::connect(fd, address.ai_addr, address.ai_addrlen) == 0) return 0;
  if (errno != EINPROGRESS && errno != EINTR) return errno;
  wait_for(fd, kToWrite, deadline);
  int error = 0;
  socklen_t size = sizeof error;
  return ::getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0 ? error : errno;
}

}  // namespace

const char* connection_error_name(int error) noexcept {
  for (const auto& one : kErrors) {
    if (one.number == error) return one.name;
  }
  return "";
}

std::vector<std::string> numeric_hosts(const std::string& host, const std::string& port) {
  const Addresses addresses = addresses_of(host, port);
  std::vector<std::string> hosts;
  for (const addrinfo* address = addresses.get(); address != nullptr; address = address->ai_next) {
    char number[NI_MAXHOST];
    const int failed =
        ::getnameinfo(address->ai_addr, address->ai_addrlen, number, sizeof number, nullptr, 0, NI_NUMERICHOST);
    if (failed == 0) hosts.emplace_back(number);
  }
  return hosts;
}

Readiness await_socket(int fd, Readiness wanted, std::chrono::steady_clock::time_point deadline) {
  for (;;) {
    using std::chrono::milliseconds;
    const auto left = std::chrono::ceil<milliseconds>(deadline - std::chrono::steady_clock::now()).count();
    if (left <= 0) return {};
    pollfd one{fd, static_cast<short>((wanted.to_read ? POLLIN : 0) | (wanted.to_write ? POLLOUT : 0)), 0};
    const int found = ::poll(&one, 1, static_cast<int>(std::min<std::int64_t>(left, INT_MAX)));
    if (found < 0 && errno != EINTR) fail("wait for the server", errno);
    if (found <= 0) continue;
    const bool ended = (one.revents & (POLLERR | POLLHUP | POLLNVAL)) != 0;
    return {ended || (one.revents & POLLIN) != 0, ended || (one.revents & POLLOUT) != 0};
  }
}

bool is_quiet_socket(int fd) noexcept {
  pollfd one{fd, POLLIN, 0};
  return ::poll(&one, 1, 0) == 0;
}

Connection::Connection() = default;
Connection::~Connection() {
  if (is_open()) close();
  else forget();
}

bool Connection::is_open() const noexcept { return socket_ != nullptr && execution_ == Execution::current(); }

// Not ours: the application closed all descriptors, and its own file may have this number now.
int Connection::number() const {
  if (!is_open() || !socket_->ours()) throw ConnectionFailure("", "the connection is not open in this process");
  return socket_->number();
}

bool Connection::is_quiet() const noexcept {
  if (!is_open() || !socket_->ours()) return false;
  return is_quiet_socket(socket_->number());
}

void Connection::open(const std::string& host, const std::string& port, Deadline deadline) {
  // That of the beginning: a signal handler may copy the process meanwhile.
  execution_ = Execution::current();
  const Addresses addresses = addresses_of(host, port);
  int error = EADDRNOTAVAIL;
  for (const addrinfo* address = addresses.get(); address != nullptr; address = address->ai_next) {
    auto socket = std::make_unique<Descriptor>();
    const int fd = make_socket(*address);
    error = fd < 0 || !socket->hold(fd) ? errno : connect(fd, *address, deadline);
    if (error != 0) continue;
    socket_ = std::move(socket);
    return;
  }
  fail("connect", error);
}

void Connection::send(std::string_view bytes, Deadline deadline) {
  while (!bytes.empty()) {
    const int fd = number();
    wait_for(fd, kToWrite, deadline);
    const ssize_t sent = ::send(number(), bytes.data(), bytes.size(), kNoSignal);
    if (sent > 0) bytes.remove_prefix(static_cast<std::size_t>(sent));
    else if (sent < 0 && !would_block(errno)) fail("send to the server", errno);
  }
}

std::size_t Connection::receive(char* bytes, std::size_t most, Deadline deadline) {
  for (;;) {
    wait_for(number(), kToRead, deadline);
    const ssize_t received = ::recv(number(), bytes, most, 0);
    if (received > 0) return static_cast<std::size_t>(received);
    if (received == 0) fail_at_end();
    if (!would_block(errno)) fail("receive from the server", errno);
  }
}

void Connection::close() noexcept {
  if (!is_open()) return;
  if (socket_->ours()) ::shutdown(socket_->number(), SHUT_RDWR);  // also for copies of the descriptor
  socket_.reset();
}

void Connection::forget() noexcept {
  if (!is_open()) static_cast<void>(socket_.release());  // another thread may have been changing it
}

}  // namespace polyflake
