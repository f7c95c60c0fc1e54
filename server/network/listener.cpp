#include "network/listener.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <new>
#include <thread>
#include <utility>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace polyflake::server {
namespace {

namespace asio = boost::asio;
using asio::generic::stream_protocol;

stream_protocol::endpoint endpoint_of(const ListenerConfiguration& configuration) {
  if (!configuration.path.empty()) return asio::local::stream_protocol::endpoint(configuration.path);
  return asio::ip::tcp::endpoint(asio::ip::make_address(configuration.host), configuration.port);
}

// Keeps servers apart that start at one path at the same moment: until this one listens, the other
// one would take its socket for one of a server that is gone.
class LockOfFolder {
 public:
  // path: of the socket; "" if there is none, and nothing to lock.
  // Blocks: at most 5 s, while another one has the lock. Errors: ConfigurationError.
  explicit LockOfFolder(const std::string& path) {
    if (path.empty()) return;
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    descriptor_ = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor_ < 0) return;  // a folder that it may not read, or bind() reports it
    constexpr int kTries = 500;
    for (int tries = 0; is_locked_by_another(); ++tries) {
      if (tries == kTries) {
        ::close(descriptor_);
        throw ConfigurationError("cannot listen at unix:" + path + ": another process has locked its folder for 5 s");
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }
  ~LockOfFolder() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  LockOfFolder(const LockOfFolder&) = delete;
  LockOfFolder& operator=(const LockOfFolder&) = delete;

 private:
  // Takes the lock if it can. A file system without locks has none to wait for.
  bool is_locked_by_another() const { return ::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK; }

  int descriptor_ = -1;
};

// A server that was killed leaves its socket file behind.
void remove_dead_socket(asio::io_context& loop, const std::string& path) {
  struct stat found{};
  if (::lstat(path.c_str(), &found) != 0 || !S_ISSOCK(found.st_mode)) return;
  asio::local::stream_protocol::socket probe(loop);
  boost::system::error_code error;
  probe.connect(asio::local::stream_protocol::endpoint(path), error);
  if (error == asio::error::connection_refused) ::unlink(path.c_str());
}

std::string path_of(const stream_protocol::endpoint& endpoint) {
  asio::local::stream_protocol::endpoint local;
  std::memcpy(local.data(), endpoint.data(), std::min<std::size_t>(endpoint.size(), local.capacity()));
  local.resize(endpoint.size());
  std::string path = local.path();
  if (!path.empty() && path.front() == 0) path.front() = '@';  // a name without a file
  return path;
}

std::string text_of(const stream_protocol::endpoint& endpoint) {
  asio::ip::tcp::endpoint tcp;
  std::memcpy(tcp.data(), endpoint.data(), std::min<std::size_t>(endpoint.size(), tcp.capacity()));
  tcp.resize(endpoint.size());
  const std::string host = tcp.address().to_string();
  return (tcp.address().is_v6() ? '[' + host + ']' : host) + ':' + std::to_string(tcp.port());
}

}  // namespace

Listener::Listener(std::shared_ptr<const Tls> tls, MakeProtocol make_protocol, Connections& connections)
    : make_protocol_(std::move(make_protocol)),
      connections_(connections),
      tls_(std::move(tls)),
      acceptor_(connections.loop()),
      timer_(connections.loop()) {}

Listener::Listener(const ListenerConfiguration& configuration, MakeProtocol make_protocol, Connections& connections)
    : Listener(configuration.tls, std::move(make_protocol), connections) {
  const stream_protocol::endpoint endpoint = endpoint_of(configuration);
  const std::string& path = configuration.path;
  const LockOfFolder lock(path);
  if (!path.empty()) remove_dead_socket(connections.loop(), path);
  acceptor_.open(endpoint.protocol());
  acceptor_.set_option(asio::socket_base::reuse_address(true));
  acceptor_.bind(endpoint);
  path_ = path;
  // Clients cannot connect before it listens.
  if (!path.empty() && ::chmod(path.c_str(), 0660) != 0) {
    throw boost::system::system_error(errno, boost::system::system_category());
  }
  acceptor_.listen(asio::socket_base::max_listen_connections);
  begin();
}

Listener::Listener(int descriptor, std::shared_ptr<const Tls> tls, MakeProtocol make_protocol, Connections& connections)
    : Listener(std::move(tls), std::move(make_protocol), connections) {
  sockaddr address{};
  socklen_t size = sizeof address;  // enough for the family
  ::getsockname(descriptor, &address, &size);
  acceptor_.assign(stream_protocol(address.sa_family, 0), descriptor);
  begin();
}

void Listener::begin() {
  acceptor_.non_blocking(true);
  const stream_protocol::endpoint endpoint = acceptor_.local_endpoint();
  is_tcp_ = endpoint.protocol().family() != AF_UNIX;
  address_ = is_tcp_ ? text_of(endpoint) : "unix:" + path_of(endpoint);
  accept();
}

Listener::~Listener() { close(); }

void Listener::close() noexcept {
  if (!acceptor_.is_open()) return;
  accept_those_waiting();
  boost::system::error_code ignored;
  if (!path_.empty()) ::unlink(path_.c_str());  // before another server may take its place
  acceptor_.close(ignored);
  timer_.cancel();
}

void Listener::accept() {
  acceptor_.async_wait(asio::socket_base::wait_read, [this](const boost::system::error_code& error) {
    if (error) return;
    if (accept_those_waiting()) return accept();
    // Too many files are open, for instance: the clients wait, and no time is spent on them.
    timer_.expires_after(std::chrono::milliseconds(100));
    timer_.async_wait([this](const boost::system::error_code& cancelled) {
      if (!cancelled) accept();
    });
  });
}

// Returns false if the system refuses to give one, memory is short, or as many clients shake hands as
// may at a time.
bool Listener::accept_those_waiting() {
  constexpr std::size_t kMostHandshakes = 512;
  boost::system::error_code error;
  for (;;) {
    if (tls_ && connections_.handshakes() >= kMostHandshakes) return false;
    try {
      Transport::Socket socket(connections_.loop());
      acceptor_.accept(socket, error);
      if (error) break;
      socket.non_blocking(true);
      if (is_tcp_) {
        socket.set_option(asio::ip::tcp::no_delay(true));
        socket.set_option(asio::socket_base::keep_alive(true));
      }
      auto tls = tls_ ? tls_->begin(socket.native_handle()) : nullptr;
      connections_.add(Transport(std::move(socket), std::move(tls)), make_protocol_());
    } catch (const std::bad_alloc&) {
      return false;
    } catch (const std::exception&) {
      // The client has left: others are taken in.
    }
  }
  return error == asio::error::would_block || error == asio::error::try_again ||
         error == asio::error::connection_aborted || error == asio::error::interrupted;
}

}  // namespace polyflake::server
