// A store in a folder, for the processes of one host.
#pragma once

#include <string>

#include <polyflake/store.hpp>

namespace polyflake {

// Holds a namespace in a folder of this host, for its processes: a lease store without a server.
// The folder must be on a disk of this host.
// Thread safety: any thread; several processes.
class HostStore final : public Store {
 public:
  // folder: absolute, made if it is missing; name: of the namespace. Errors: registry_unusable.
  HostStore(const std::string& folder, const std::string& name);
  // Blocks: file I/O, and up to 2 s while another process uses the store. Errors:
  // registry_unusable, store_unavailable.
  lease::Contents read(const lease::Read& read) override;
  lease::Answer cas(const lease::Cas& request) override;

 private:
  const std::string folder_;
};

}  // namespace polyflake
