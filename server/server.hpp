// The server: opens what its configuration names, listens, and drains at a signal.
#pragma once

#include <chrono>
#include <csignal>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>

#include "access/token_files.hpp"
#include "configuration/configuration.hpp"
#include "ids/keeper.hpp"
#include "ids/opening.hpp"
#include "ids/service.hpp"
#include "network/connections.hpp"
#include "network/listener.hpp"
#include "network/passed_sockets.hpp"
#include "operation/notifier.hpp"

namespace polyflake::server {

class Server {
 public:
  // Opens generators and counters, then listens. Blocks: until each has its node id. A signal
  // meanwhile gives back what is open, and ends the process with 0. Errors: Error,
  // ConfigurationError (an address that cannot be listened at).
  explicit Server(const Configuration& configuration);
  ~Server();

  // Serves until SIGTERM or SIGINT, then drains: for drain_ms it is not ready but serves, so that
  // load balancers notice; then it finishes what was asked. A second signal ends that wait. SIGHUP
  // rereads the files of tokens and certificates.
  void run();

 private:
  void open(const Configuration& configuration);
  void listen(const Configuration& configuration);
  void listen_at(const ListenerConfiguration& listener, Gate* gate);
  Listener::MakeProtocol protocol_of(const ListenerConfiguration& listener, Gate* gate) const;
  void wait_for_signal();
  void on_signal(int number);
  void reread() noexcept;
  static void reread(Tls& tls);
  void drain();
  void finish();
  void end_once_empty();
  void watch();
  void watch_gates();
  std::string status() const;

  // The gate of a listener that has tokens.
  struct WatchedGate {
    std::unique_ptr<Gate> gate;
    const Listener* listener;  // or the first of several
  };

  boost::asio::io_context loop_{1};
  Notifier notifier_{loop_};
  PassedSockets passed_;              // until it listens
  std::unique_ptr<Opening> opening_;  // until all is open
  const std::int64_t drain_ms_;
  std::vector<std::shared_ptr<Tls>> tls_;  // of listeners
  Service service_;
  TokenFiles tokens_;
  std::vector<WatchedGate> gates_;
  Connections connections_{loop_, service_};
  std::vector<std::unique_ptr<Listener>> listeners_;
  std::unique_ptr<Keeper> keeper_;
  boost::asio::signal_set signals_;
  boost::asio::steady_timer draining_{loop_};
  boost::asio::steady_timer watching_{loop_};
  boost::asio::steady_timer watching_gates_{loop_};
  std::map<const Queue*, std::string> states_;  // as they were logged
  std::chrono::steady_clock::time_point end_;   // of the wait for connections that finish
};

}  // namespace polyflake::server
