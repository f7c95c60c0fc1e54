// ZooKeeper over a session of its own, for carried_store(). Belongs to the library
// polyflake::zookeeper, which needs ZooKeeper's client for one thread (libzookeeper_st 3.8) and a
// POSIX system.
//
//   auto store = carried_store("zookeeper", "orders",
//                              std::make_shared<ZooKeeperCarrier>("zookeeper://h1,h2,h3/services"));
//
// It has no TLS and no SASL: for those, derive a Carrier from a client that has them. Also do so in
// a program that has ZooKeeper's client for several threads, libzookeeper_mt: both clients have
// functions of the same names.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include <polyflake/carrier.hpp>

namespace polyflake {

// A session with one server of an ensemble, which is opened by the first command and after each
// failure. It starts no thread, sets no watch, and makes no ephemeral node. It raises no SIGPIPE.
// The client logs nothing of its session, and keeps the level and the stream that the program set
// for its own. It has one buffer for all lines, so one that another thread logs at the same moment
// may be garbled. Thread safety: as Carrier; several carriers are independent of one another.
class ZooKeeperCarrier final : public Carrier {
 public:
  // address: zookeeper://[user:password@]host[:port][,...][/folder], as in the member `client` of a
  // lease::StoreUrl. The hosts are servers of one ensemble: one serves, and another one after a
  // failure. The folder must exist. user and password are those of the scheme `digest`. Connects
  // to nothing. Errors: worker_source_invalid, option_invalid.
  explicit ZooKeeperCarrier(std::string_view address);
  ~ZooKeeperCarrier() override;
  ZooKeeperCarrier(const ZooKeeperCarrier&) = delete;
  ZooKeeperCarrier& operator=(const ZooKeeperCarrier&) = delete;

  // Blocks: at most timeout_ms; longer only if the system looks up a host name for longer.
  // Errors: lease::CommandFailure, with the number of an error of ZooKeeper or the name of a system
  // error as its code, and without the password.
  lease::Reply carry(const lease::Command& command, std::int64_t timeout_ms) override;
  void drop() override;
  void forked() override;

 private:
  class Line;
  const std::unique_ptr<Line> line_;
};

}  // namespace polyflake
