// A store in a folder, for the processes of one host.
#pragma once

#include <string>

#include <polyflake/counter_store.hpp>
#include <polyflake/store.hpp>

namespace polyflake {

// Holds a namespace with its counters in a folder of this host, for its processes: a store without
// a server. The folder must be on a disk of this host. Thread safety: any thread; several
// processes.
class HostStore final : public Store, public CounterStore {
 public:
  // folder: absolute, made if it is missing; name: of the namespace. Errors: registry_unusable.
  HostStore(const std::string& folder, const std::string& name);
  // Blocks: file I/O, and up to 2 s while another process uses the store. Errors:
  // registry_unusable, store_unavailable.
  lease::Contents read(const lease::Read& read) override;
  lease::Answer cas(const lease::Cas& request) override;
  // The same, and option_invalid for a name that no counter has.
  count::Contents read_counter(const std::string& name) override;
  count::Names counter_names() override;
  count::Answer add(const count::Add& request) override;
  count::Answer write_head(const count::WriteHead& request) override;
  count::Answer back(const count::Back& request) override;
  void forked() override {}

 private:
  const std::string folder_;
};

}  // namespace polyflake
