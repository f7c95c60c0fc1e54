// Redis over a connection of its own, for carried_store(). Belongs to the library polyflake::redis,
// which needs a POSIX system.
//
//   auto store = carried_store("redis", "orders", std::make_shared<RedisCarrier>("redis://host:6379/0"));
//
// It speaks RESP 2 over TCP, without TLS, Sentinel and Redis Cluster: for those, derive a Carrier
// from a client that has them.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include <polyflake/carrier.hpp>

namespace polyflake {

// A connection to one Redis, which is opened by the first command and after each failure. It raises
// no SIGPIPE. Thread safety: as Carrier; several carriers are independent of one another.
class RedisCarrier final : public Carrier {
 public:
  // address: redis://[[user]:password@]host[:port][/database], as in the member `client` of a
  // lease::StoreUrl. A host in brackets is an IPv6 address; %40 in a password is '@'. Connects to
  // nothing. Errors: worker_source_invalid.
  explicit RedisCarrier(std::string_view address);
  ~RedisCarrier() override;
  RedisCarrier(const RedisCarrier&) = delete;
  RedisCarrier& operator=(const RedisCarrier&) = delete;

  // Blocks: at most timeout_ms; longer only if the system looks up a host name for longer.
  // Errors: lease::CommandFailure, with the first word of an error of Redis as its code, and
  // without the password.
  lease::Reply carry(const lease::Command& command, std::int64_t timeout_ms) override;
  void drop() override;
  void forked() override;

 private:
  class Line;
  const std::unique_ptr<Line> line_;
};

}  // namespace polyflake
