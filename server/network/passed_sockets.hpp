// Sockets that a service manager opened for this process: systemd's sd_listen_fds(3). A listener
// with the address "systemd:NAME" takes those of this name.
#pragma once

#include <string>
#include <vector>

#include "configuration/configuration.hpp"

namespace polyflake::server {

class PassedSockets {
 public:
  // Takes LISTEN_PID, LISTEN_FDS and LISTEN_FDNAMES out of the environment.
  // Errors: ConfigurationError if a listener has no socket or a socket no listener, if one is not a
  // stream socket that listens, or if other hosts reach it and its listener has no TLS and is not
  // `insecure`.
  explicit PassedSockets(const Configuration& configuration);
  ~PassedSockets();  // closes those that were not taken
  PassedSockets(const PassedSockets&) = delete;
  PassedSockets& operator=(const PassedSockets&) = delete;

  // Returns the sockets of this name, at least one. The caller closes them. Requires: a first call.
  std::vector<int> take(const std::string& name);

 private:
  void find();
  void check(const Configuration& configuration) const;
  std::string names() const;

  struct Socket {
    std::string name;
    int descriptor;
  };
  std::vector<Socket> sockets_;
};

}  // namespace polyflake::server
