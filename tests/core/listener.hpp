// A server of this process, for clients that are tested: it ends, hangs or answers wrongly.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <thread>
#include <utility>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace polyflake::test {

// One end of an accepted connection.
class Peer {
 public:
  explicit Peer(int fd) : fd_(fd) {}

  // Returns the next command of Redis, as words joined by blanks; "" at the end of the connection.
  std::string hear() {
    std::string words;
    const std::string count = line();
    if (count.empty()) return "";
    for (int left = std::stoi(count.substr(1)); left > 0; --left) {
      const auto size = static_cast<std::size_t>(std::stoul(line().substr(1)));
      std::string word(size + 2, ' ');
      for (char& c : word) {
        if (::recv(fd_, &c, 1, 0) != 1) return "";
      }
      words += (words.empty() ? "" : " ") + word.substr(0, size);
    }
    return words;
  }
  // Returns bytes as they come; "" at the end of the connection.
  std::string hear_some() const {
    char bytes[4096];
    const ssize_t size = ::recv(fd_, bytes, sizeof bytes, 0);
    return size > 0 ? std::string(bytes, static_cast<std::size_t>(size)) : "";
  }
  // Returns false if the connection is over.
  bool say(const std::string& bytes) const {
    return ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size());
  }
  void reset() const {  // the other end gets RST
    const linger at_once{1, 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  }

 private:
  std::string line() const {
    std::string text;
    for (char c; ::recv(fd_, &c, 1, 0) == 1 && c != '\n';) {
      if (c != '\r') text += c;
    }
    return text;
  }

  const int fd_;
};

// Serves each connection as a test says, one after the other.
class Listener {
 public:
  explicit Listener(std::function<void(Peer&)> serve)
      : serve_(std::move(serve)), fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    ::bind(fd_, reinterpret_cast<sockaddr*>(&address), size);
    ::listen(fd_, 16);
    ::getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { run(); });
  }
  ~Listener() {
    ::shutdown(fd_, SHUT_RDWR);
    thread_.join();
    ::close(fd_);
  }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  int port() const { return port_; }
  int connections() const { return connections_; }

 private:
  void run() {
    for (int fd; (fd = ::accept(fd_, nullptr, nullptr)) >= 0; ::close(fd)) {
      ++connections_;
      Peer peer(fd);
      serve_(peer);
    }
  }

  const std::function<void(Peer&)> serve_;
  const int fd_;
  int port_ = 0;
  std::atomic<int> connections_{0};
  std::thread thread_;
};

}  // namespace polyflake::test
