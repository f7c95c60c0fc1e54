// etcd over a connection of its own, for carried_store(). Belongs to the library polyflake::etcd,
// which needs a POSIX system.
//
//   auto store = carried_store("etcd", "orders", std::make_shared<EtcdCarrier>("etcd://h1,h2,h3"));
//
// It speaks to the JSON gateway of etcd 3.4 or later over TCP, without TLS: for that, derive a
// Carrier from a client that has it.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include <polyflake/carrier.hpp>

namespace polyflake {

// A connection to one member of a cluster, which is opened by the first command and after each
// failure. It raises no SIGPIPE. Thread safety: as Carrier; several carriers are independent of one
// another.
class EtcdCarrier final : public Carrier {
 public:
  // address: etcd://[user:password@]host[:port][,...], as in the member `client` of a
  // lease::StoreUrl. The hosts are members of one cluster: one serves, and another one after a
  // failure. Connects to nothing. Errors: worker_source_invalid, option_invalid.
  explicit EtcdCarrier(std::string_view address);
  ~EtcdCarrier() override;
  EtcdCarrier(const EtcdCarrier&) = delete;
  EtcdCarrier& operator=(const EtcdCarrier&) = delete;

  // Blocks: at most timeout_ms; longer only if the system looks up a host name for longer.
  // Errors: lease::CommandFailure, with the status of HTTP or the name of a system error as its
  // code, and without the password.
  lease::Reply carry(const lease::Command& command, std::int64_t timeout_ms) override;
  void drop() override;
  void forked() override;

 private:
  class Line;
  const std::unique_ptr<Line> line_;
};

}  // namespace polyflake
