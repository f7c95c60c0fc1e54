// Which copies of a Redis count, and when enough of them have a write. Sans-I/O.
//
// A replica has no vote: once it follows another primary it forgets what it acknowledged to the one before. So a count of
// acknowledgements proves nothing. The namespace names its copies (`host:port`, the same list for all sides), more than half
// of these must have a write, and only under the reign that wrote it. docs/leases.md says what follows for operators.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <polyflake/store.hpp>

namespace polyflake::lease {

// A server and the replicas that follow it, as its INFO replication says.
struct Replication {
  struct Replica {
    std::string name;
    bool is_online = false;
    std::uint64_t offset = 0;  // up to which it acknowledged
  };

  bool is_primary = false;
  bool was_replica = false;  // and was promoted since it started
  std::uint64_t offset = 0;  // up to which it has written
  std::uint64_t count = 0;   // of replicas, also of those that cannot be listed
  std::vector<Replica> replicas;
};

// Errors: store_unavailable if a field is missing.
Replication replication_in(std::string_view info);

// "10.0.0.1:6379", "[::1]:6379".
std::string copy_name(std::string_view host, std::string_view port);

// The name of the server that a connection leads to, as other servers list it: what it announces, else its end of the
// connection by CLIENT INFO. "" if it has none, as behind a Unix socket.
std::string name_of_server(std::string_view announced_host, std::string_view announced_port,
                           std::string_view client_info);

// The copies of a namespace.
struct Copies {
  std::vector<std::string> names;  // sorted; none: the primary alone, as long as it has no replica
  bool fenced = false;  // an operator vouches that a demoted primary is never served again: a count is enough
};

// Sorted, each once.
std::vector<std::string> names_in(std::string_view text);
std::string text_of(const std::vector<std::string>& names);

// As an operator gives them, separated by commas. Errors: option_invalid.
std::vector<std::string> copies_of(const std::string& text);

// Returns true if each name means one server to every host. Names of the loopback do if all are such names.
bool are_distinct(const std::vector<std::string>& names);

// Returns the copies for a namespace that names none: the server and its replicas. Empty if the server has
// no replicas, or if two servers share a name.
std::vector<std::string> first_copies(const std::string& server, const Replication& seen);

// Finds out whether a write counts.
class Confirmation {
 public:
  struct Step {
    enum class Kind {
      look,    // at the server: its incarnation and INFO replication, then looked()
      wait,    // for so many `replicas`, at most so many `ms`: WAIT, then waited()
      counts,  // it does
      fails,   // it may be lost: `reason`
    } kind = Kind::fails;
    std::uint64_t replicas = 0;
    std::int64_t ms = 0;
    std::string reason;
  };

  // copies: as the reply of the write gives them. server: the primary's name, "" if it has none. all: every copy must
  // have it. ms: how long one wait may take.
  Confirmation(Copies copies, std::string server, std::string incarnation, bool all, std::int64_t ms);

  // seen: as the reply of the write gives it.
  Step written(const Replication& seen);
  Step looked(const std::string& incarnation, const Replication& seen);
  Step waited(std::uint64_t replicas);

 private:
  bool has_it(const std::string& name, const Replication& seen) const;
  bool is_listed(const std::string& name, const Replication& seen) const;
  std::string too_few(const Replication& seen) const;

  const Copies copies_;
  const std::string server_;
  const std::string incarnation_;
  const std::int64_t ms_;
  std::uint64_t needed_;      // of the copies, or of any replicas if these are counted
  std::uint64_t offset_ = 0;  // of the first look, which is not before the write
  bool looked_ = false;
  int waits_ = 0;
};

// A client's knowledge of the copies of its namespace, from one reply to the next.
class KnownCopies {
 public:
  // As a reply gives them.
  void saw(std::string incarnation, Copies copies, Replication seen);

  // Before each cas, since the server's name is of one connection. Returns true if it is to be asked for, then named().
  bool begin_cas(const Cas& cas);
  void named(std::string server) { server_ = std::move(server); }

  // The names that this cas is to give to the namespace; none: it keeps those that it has.
  std::vector<std::string> new_names(const Cas& cas) const;

  // After the reply to that cas, which saw() was told of.
  Confirmation confirmation(const Cas& cas, std::int64_t ms) const;
  const Replication& seen() const { return seen_; }

 private:
  Copies copies_;
  std::string incarnation_;
  Replication seen_;
  std::string server_;  // "": it has no name, or was not asked for it
};

}  // namespace polyflake::lease
