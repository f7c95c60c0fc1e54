// Decides which copies of a Redis count, and when enough of them have a write. Sans-I/O.
//
// A replica has no vote: once it follows another primary, it forgets what it acknowledged to the
// one before. So a count of acknowledgements proves nothing. The namespace names its copies
// (`host:port`, the same list for all sides). More than half of these must have a write, and only
// under the reign that wrote it. docs/leases.md explains the consequences for operators.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <polyflake/store.hpp>

namespace polyflake::lease {

// A server and the replicas that follow it, as its INFO replication reports.
struct Replication {
  struct Replica {
    std::string name;
    bool is_online = false;
    std::uint64_t offset = 0;  // it acknowledged everything below
  };

  bool is_primary = false;
  bool was_replica = false;  // it was promoted since it started
  std::uint64_t offset = 0;  // it has written everything below
  std::uint64_t count = 0;   // replicas, including those that cannot be listed
  std::vector<Replica> replicas;
};

// Returns the parsed reply. Errors: store_unavailable if a field is missing.
Replication replication_in(std::string_view info);

// Returns "10.0.0.1:6379", "[::1]:6379".
std::string copy_name(std::string_view host, std::string_view port);

// Returns the name under which other servers list the server of a connection: the address it
// announces, else its end of the connection by CLIENT INFO. "" if it has none, for example behind a
// Unix socket.
std::string name_of_server(std::string_view announced_host, std::string_view announced_port,
                           std::string_view client_info);

// The copies of a namespace.
struct Copies {
  std::vector<std::string> names;  // sorted; none: the primary alone, while it has no replica
  // An operator vouches that a demoted primary never serves again: then a count is enough.
  bool fenced = false;
};

// Returns the names, sorted and without repetition.
std::vector<std::string> names_in(std::string_view text);
std::string text_of(const std::vector<std::string>& names);

// Returns the names in an operator's list, separated by commas. Errors: option_invalid.
std::vector<std::string> copies_of(const std::string& text);

// Returns true if each name means one server to every host. Loopback names do if all names are
// loopback names.
bool are_distinct(const std::vector<std::string>& names);

// Returns the copies for a namespace that names none: the server and its replicas. Empty if the
// server has no replicas, or if two servers share a name.
std::vector<std::string> first_copies(const std::string& server, const Replication& seen);

// Finds out if a write counts.
class Confirmation {
 public:
  struct Step {
    enum class Kind {
      // Ask the server for its incarnation and INFO replication, then looked().
      look,
      wait,    // WAIT for `replicas`, at most `ms`, then waited()
      counts,  // the write counts
      fails,   // the write may be lost: `reason`
    } kind = Kind::fails;
    std::uint64_t replicas = 0;
    std::int64_t ms = 0;
    std::string reason;
  };

  // copies: from the reply of the write. server: the primary's name, "" if it has none. all: every
  // copy must have the write. ms: the longest time of one wait.
  Confirmation(Copies copies, std::string server, std::string incarnation, bool all, std::int64_t ms);

  // Returns the first step. seen: from the reply of the write.
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
  std::uint64_t needed_;      // how many of the copies, or of any replicas if these are counted
  std::uint64_t offset_ = 0;  // at the first look, which is not before the write
  bool looked_ = false;
  int waits_ = 0;
};

// A client's knowledge of the copies of its namespace, from one reply to the next.
class KnownCopies {
 public:
  // Takes the content of a reply.
  void saw(std::string incarnation, Copies copies, Replication seen);

  // Must be called before each cas, since the server's name belongs to one connection. Returns
  // true if the caller must ask the server for its name and pass it to named().
  bool begin_cas(const Cas& cas);
  void named(std::string server) { server_ = std::move(server); }

  // Returns the names that this cas gives to the namespace; none: it keeps its own.
  std::vector<std::string> new_names(const Cas& cas) const;

  // Requires: saw() was given the reply to that cas.
  Confirmation confirmation(const Cas& cas, std::int64_t ms) const;
  const Replication& seen() const { return seen_; }

 private:
  Copies copies_;
  std::string incarnation_;
  Replication seen_;
  std::string server_;  // "": it has no name, or was not asked
};

}  // namespace polyflake::lease
