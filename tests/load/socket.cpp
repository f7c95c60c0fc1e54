#include "socket.hpp"

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <memory>
#include <stdexcept>
#include <utility>

namespace polyflake::load {
namespace {

std::int64_t ns_of(const timespec& time) { return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec; }

std::int64_t read_clock(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return ns_of(time);
}

std::runtime_error no_connection(const std::string& address, const char* why) {
  return std::runtime_error("no connection to " + address + ": " + why);
}

int connect_unix(const std::string& address) {
  const std::string path = address.substr(5);
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  if (path.size() >= sizeof name.sun_path) throw no_connection(address, "the path is too long");
  std::memcpy(name.sun_path, path.c_str(), path.size() + 1);
  const int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (connect(descriptor, reinterpret_cast<const sockaddr*>(&name), sizeof name) == 0) return descriptor;
  const std::runtime_error failure = no_connection(address, std::strerror(errno));
  close(descriptor);
  throw failure;
}

int connect_tcp(const std::string& address) {
  const std::size_t colon = address.rfind(':');
  addrinfo wanted{}, *found = nullptr;
  wanted.ai_socktype = SOCK_STREAM;
  const std::string host = address.substr(0, colon), port = address.substr(colon + 1);
  if (const int failure = getaddrinfo(host.c_str(), port.c_str(), &wanted, &found)) {
    throw no_connection(address, gai_strerror(failure));
  }
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> list(found, freeaddrinfo);
  const int descriptor = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (connect(descriptor, found->ai_addr, found->ai_addrlen) != 0) {
    const std::runtime_error failure = no_connection(address, std::strerror(errno));
    close(descriptor);
    throw failure;
  }
  const int on = 1;
  setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return descriptor;
}

// Returns when the last bytes of a message arrived, in ns of the real-time clock; 0 if the kernel
// did not note it.
std::int64_t arrival_of(msghdr& message) {
  for (cmsghdr* part = CMSG_FIRSTHDR(&message); part != nullptr; part = CMSG_NXTHDR(&message, part)) {
    if (part->cmsg_level == SOL_SOCKET && part->cmsg_type == SCM_TIMESTAMPNS) {
      timespec time{};
      std::memcpy(&time, CMSG_DATA(part), sizeof time);
      return ns_of(time);
    }
  }
  return 0;
}

bool is_nothing_now() { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

}  // namespace

std::int64_t now_ns() { return read_clock(CLOCK_MONOTONIC); }

Socket::Socket(const std::string& address)
    : descriptor_(address.rfind("unix:", 0) == 0 ? connect_unix(address) : connect_tcp(address)) {
  fcntl(descriptor_, F_SETFL, fcntl(descriptor_, F_GETFL) | O_NONBLOCK);
}

Socket::~Socket() {
  if (descriptor_ >= 0) close(descriptor_);
}

Socket::Socket(Socket&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

void Socket::note_arrivals() {
  const int on = 1;
  setsockopt(descriptor_, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
}

std::optional<std::size_t> Socket::send(std::string_view bytes) {
  const ssize_t sent = ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  if (sent >= 0) return static_cast<std::size_t>(sent);
  return is_nothing_now() ? std::optional<std::size_t>(0) : std::nullopt;
}

std::optional<Socket::Received> Socket::receive(char* buffer, std::size_t size) {
  alignas(cmsghdr) char control[128];
  iovec place{buffer, size};
  msghdr message{};
  message.msg_iov = &place;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  const ssize_t got = recvmsg(descriptor_, &message, 0);
  if (got == 0) return std::nullopt;
  if (got < 0) return is_nothing_now() ? std::optional<Received>(Received{0, 0}) : std::nullopt;
  const std::int64_t arrival = arrival_of(message);
  const std::int64_t age = arrival == 0 ? 0 : std::max<std::int64_t>(0, read_clock(CLOCK_REALTIME) - arrival);
  return Received{static_cast<std::size_t>(got), age};
}

bool Socket::has_ended() const {
  pollfd watched{descriptor_, POLLRDHUP, 0};
  return ::poll(&watched, 1, 0) > 0;
}

void raise_descriptor_limit() {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace polyflake::load
