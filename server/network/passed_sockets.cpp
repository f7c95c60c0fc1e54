#include "network/passed_sockets.hpp"

#include <algorithm>
#include <cstring>

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/ip/address.hpp>

#include <polyflake/error.hpp>

#include "configuration/configured_listener.hpp"
#include "operation/service_manager.hpp"

namespace polyflake::server {
namespace {

constexpr int kFirst = 3;  // behind standard input, output and error

std::vector<std::string> split_at_colons(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char each : text) {
    if (each == ':') parts.emplace_back();
    else parts.back() += each;
  }
  return parts;
}

bool listens(int descriptor) {
  int type = 0;
  int accepts = 0;
  int family = 0;
  socklen_t size = sizeof type;
  const auto has = [&](int option, int& value) {
    return ::getsockopt(descriptor, SOL_SOCKET, option, &value, &size) == 0;
  };
  return has(SO_TYPE, type) && has(SO_ACCEPTCONN, accepts) && has(SO_DOMAIN, family) && type == SOCK_STREAM &&
         accepts != 0 && (family == AF_INET || family == AF_INET6 || family == AF_UNIX);
}

bool others_reach(int descriptor) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (::getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size) != 0) return true;
  if (address.ss_family == AF_UNIX) return false;
  if (address.ss_family == AF_INET) {
    sockaddr_in v4{};
    std::memcpy(&v4, &address, sizeof v4);
    return !boost::asio::ip::address_v4(ntohl(v4.sin_addr.s_addr)).is_loopback();
  }
  sockaddr_in6 v6{};
  std::memcpy(&v6, &address, sizeof v6);
  return !IN6_IS_ADDR_LOOPBACK(&v6.sin6_addr);
}

std::string shown(const std::string& name) { return "systemd:" + name; }

}  // namespace

PassedSockets::PassedSockets(const Configuration& configuration) {
  find();
  check(configuration);
}

PassedSockets::~PassedSockets() {
  for (const Socket& one : sockets_) ::close(one.descriptor);
}

void PassedSockets::find() {
  const auto process = take_variable("LISTEN_PID");
  const auto count = take_variable("LISTEN_FDS");
  const auto names = take_variable("LISTEN_FDNAMES");
  if (!process || !count || number_of_variable("LISTEN_PID", *process) != ::getpid()) return;
  const auto all = number_of_variable("LISTEN_FDS", *count);
  const std::vector<std::string> each = names ? split_at_colons(*names) : std::vector<std::string>();
  if (names && static_cast<std::int64_t>(each.size()) != all) {
    throw ConfigurationError("the variable LISTEN_FDNAMES has " + std::to_string(each.size()) +
                             " names, and LISTEN_FDS says " + std::to_string(all) +
                             ". Unset both if no service manager started this process");
  }
  for (std::int64_t i = 0; i < all; ++i) {
    const std::string name = names ? each[static_cast<std::size_t>(i)] : "unknown";
    const int descriptor = static_cast<int>(kFirst + i);
    if (::fcntl(descriptor, F_SETFD, FD_CLOEXEC) != 0 || !listens(descriptor)) {
      throw ConfigurationError("the socket " + polyflake::quoted(name) +
                               " that was passed is no stream socket that listens: use ListenStream= and Accept=no "
                               "in its unit");
    }
    sockets_.push_back({name, descriptor});
  }
}

void PassedSockets::check(const Configuration& configuration) const {
  const auto& listeners = configuration.listeners;
  for (const ListenerConfiguration& one : listeners) {
    const auto is_its = [&](const Socket& socket) { return socket.name == one.passed; };
    if (!one.passed.empty() && std::none_of(sockets_.begin(), sockets_.end(), is_its)) {
      throw ConfigurationError("no socket was passed for the listener at " + shown(one.passed) + ". Passed were: " +
                               names() + ". FileDescriptorName= of a socket unit names its sockets");
    }
  }
  for (const Socket& socket : sockets_) {
    const auto found = std::find_if(listeners.begin(), listeners.end(), [&](const ListenerConfiguration& one) {
      return !one.passed.empty() && one.passed == socket.name;
    });
    if (found == listeners.end()) {
      throw ConfigurationError("the socket " + polyflake::quoted(socket.name) +
                               " was passed, and no listener takes it: write address = \"systemd:NAME\" in its "
                               "[[listener]], or remove its socket unit");
    }
    if (others_reach(socket.descriptor) && !found->may_be_reached()) {
      throw ConfigurationError("other hosts reach the socket of the listener at " + shown(found->passed) + kNeedsTls);
    }
  }
}

std::vector<int> PassedSockets::take(const std::string& name) {
  std::vector<int> taken;
  for (const Socket& one : sockets_) {
    if (one.name == name) taken.push_back(one.descriptor);
  }
  sockets_.erase(std::remove_if(sockets_.begin(), sockets_.end(), [&](const Socket& one) { return one.name == name; }),
                 sockets_.end());
  return taken;
}

std::string PassedSockets::names() const {
  std::string all;
  for (const Socket& one : sockets_) all += (all.empty() ? "" : ", ") + polyflake::quoted(one.name);
  return all.empty() ? "none" : all;
}

}  // namespace polyflake::server
