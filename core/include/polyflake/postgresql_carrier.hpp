// PostgreSQL over a connection of its own, for carried_store(). Belongs to the library
// polyflake::postgresql, which needs libpq and a POSIX system.
//
//   auto store = carried_store("postgresql", "orders",
//                              std::make_shared<PostgreSqlCarrier>("postgresql://user:secret@host/database"));
//
// libpq reads the address, the variables and the files that it knows, so TLS is sslmode= and what
// belongs to it.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include <polyflake/carrier.hpp>

namespace polyflake {

// A connection to one PostgreSQL, which is opened by the first command and after each failure. It
// raises no SIGPIPE. Thread safety: as Carrier; several carriers are independent of one another.
class PostgreSqlCarrier final : public Carrier {
 public:
  // address: postgresql://[user[:password]@][host][:port][,...][/database][?parameters], as in the
  // member `client` of a lease::StoreUrl. One of several hosts serves, and another one after a
  // failure; they must be one primary and its standbys. connect_timeout has no effect: the timeout
  // of a command includes connecting. Connects to nothing. Errors: worker_source_invalid,
  // option_invalid.
  explicit PostgreSqlCarrier(std::string_view address);
  ~PostgreSqlCarrier() override;
  PostgreSqlCarrier(const PostgreSqlCarrier&) = delete;
  PostgreSqlCarrier& operator=(const PostgreSqlCarrier&) = delete;

  // Blocks: at most timeout_ms; longer only if the system looks up a host name for longer.
  // Errors: lease::CommandFailure, with an SQLSTATE or the name of a system error as its code, and
  // without the password.
  lease::Reply carry(const lease::Command& command, std::int64_t timeout_ms) override;
  void drop() override;
  void forked() override;

 private:
  class Line;
  const std::unique_ptr<Line> line_;
};

}  // namespace polyflake
