// Several Redis that copy each other and fail: prefixes of a history travel along links; replicas are promoted, primaries
// demoted or left alone; servers start again from old dumps, and newcomers have the addresses of others.
#pragma once

#include <polyflake/store.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lease/redis_copies.hpp"
#include "lease/rules.hpp"
#include "simulation/dice.hpp"

namespace polyflake::simulation {

// Comes to a client with each reply.
struct Sight {
  std::string incarnation;
  lease::Copies copies;
  lease::Replication replication;
};

class RedisServers {
 public:
  static constexpr std::size_t kMost = 6;
  static constexpr std::size_t kNone = SIZE_MAX;

  // tunnels: some replicas reach their primary through a tunnel, so it sees them at a port of its own loopback.
  RedisServers(std::size_t count, bool tunnels, Dice& dice) : dice_(dice), tunnels_(tunnels) {
    for (std::size_t i = 0; i < count; ++i) add("10.0.0." + std::to_string(i + 1));
  }

  // --- what clients ask -----------------------------------------------------------------------------

  std::optional<lease::Contents> read(std::size_t server, const lease::Read& read, std::int64_t true_ms) const {
    const Server& one = servers_[server];
    if (!one.is_up) return std::nullopt;
    return one.data->tables.read(read, incarnation(one), true_ms);
  }

  // Returns nothing if the server is a replica, which writes nothing, or is down.
  std::optional<lease::Outcome> write(std::size_t server, const lease::Cas& cas, const std::vector<std::string>& names,
                                      std::int64_t true_ms) {
    Server& one = servers_[server];
    if (!one.is_up || one.follows != kNone) return std::nullopt;
    auto next = std::make_shared<Point>(*one.data);
    const lease::Outcome outcome = next->tables.step(cas, incarnation(one), true_ms);
    if (outcome != lease::Outcome::ok) return outcome;
    const bool may_name = next->names.empty() || !cas.copies.empty() || !lease::keeps(lease::Rule::copies_stay);
    if (!names.empty() && may_name) next->names = names;
    next->before = one.data;
    ++next->offset;
    one.data = std::move(next);
    return outcome;
  }

  std::optional<Sight> look(std::size_t server) const {
    const Server& one = servers_[server];
    if (!one.is_up) return std::nullopt;
    Sight sight{incarnation(one), {one.data->names, false}, {}};
    lease::Replication& seen = sight.replication;
    seen.is_primary = one.follows == kNone;
    seen.was_replica = one.was_replica;
    seen.offset = one.data->offset;
    seen.count = one.links.size();
    for (const Link& link : one.links) seen.replicas.push_back({link.name, true, link.acknowledged});
    return sight;
  }

  // Returns its name for a client on `host`, which may reach a server of its own host over the loopback.
  std::string name_for(std::size_t server, std::size_t host, bool by_loopback) const {
    return by_loopback && host == server ? kLoopback : servers_[server].address;
  }

  // --- what happens to them -------------------------------------------------------------------------

  // Histories travel on, and so do acknowledgements; also of a replica that has left since.
  void replicate() {
    for (Server& primary : servers_) {
      for (Link& link : primary.links) {
        if (!link.is_slow && link.replica != kNone && dice_.percent(60)) advance(primary, link);
        if (dice_.percent(70)) link.acknowledged = link.sent;
      }
    }
  }

  void promote(std::size_t server) {
    Server& one = servers_[server];
    if (!one.is_up || one.follows == kNone) return;
    leave(server);
    one.former_id = std::exchange(one.id, fresh_id());
    one.was_replica = true;
    drop_links(one);  // who follows it has to hear of its new id
  }

  // A server that was a primary loses what its new primary does not have.
  void follow(std::size_t server, std::size_t primary) {
    Server& one = servers_[server];
    if (server == primary || !one.is_up || !servers_[primary].is_up) return;
    for (std::size_t at = primary; at != kNone; at = servers_[at].follows) {
      if (at == server) return;  // in a circle
    }
    leave(server);
    one.follows = primary;
    link(server);
  }

  // Makes another link if the former one is gone.
  void link_again(std::size_t server) {
    if (servers_[server].follows != kNone && find_link(server) == nullptr) link(server);
  }

  void break_link(std::size_t server) {
    const std::size_t primary = servers_[server].follows;
    if (primary == kNone) return;
    auto& links = servers_[primary].links;
    links.erase(std::remove_if(links.begin(), links.end(), [=](const Link& one) { return one.replica == server; }),
                links.end());
  }

  void slow_down(std::size_t server) {
    if (Link* const link = find_link(server)) link->is_slow = !link->is_slow;
  }

  void dump(std::size_t server) { servers_[server].dump = Dump{servers_[server].data, servers_[server].id}; }

  bool has_dump(std::size_t server) const { return servers_[server].dump.has_value(); }

  // From what it has, or from its last dump.
  void restart(std::size_t server, bool from_dump) {
    Server& one = servers_[server];
    if (one.follows != kNone) break_link(server);
    const bool had_links = !one.links.empty();
    const bool takes_dump = from_dump && one.dump;
    drop_links(one);
    one.run = fresh_id();
    one.full = one.partial = 0;
    std::string id = one.id;
    if (takes_dump) {
      one.data = one.dump->data;
      id = one.dump->id;
    }
    const bool is_primary = one.follows == kNone;
    one.id = is_primary ? fresh_id() : std::move(id);
    // Its files say whether it had a replica. A file from before the copies were named does not: a limit (docs/leases.md).
    one.was_replica =
        is_primary && (one.was_replica || one.ever_replica || takes_dump || (had_links && dice_.percent(50)));
    one.former_id.clear();
  }

  // Starts a new server at the address of this one, which never comes back, or starts again elsewhere. Returns the new one.
  std::size_t replace(std::size_t server, bool goes_on) {
    if (servers_.size() >= kMost || !servers_[server].is_up) return kNone;  // its address may have been taken already
    const std::string address = servers_[server].address;
    if (goes_on) {
      restart(server, false);
      servers_[server].address = fresh_address();
    } else {
      end(server);
    }
    add(address);
    return servers_.size() - 1;
  }

  // All is well: each address of those that were there in the beginning has a server, which follows this one directly.
  void recover(std::size_t primary) {
    tunnels_ = false;
    if (servers_[primary].follows != kNone) promote(primary);
    for (std::size_t i = 0; i < servers_.size(); ++i) {
      drop_links(servers_[i]);
      if (i == primary || !servers_[i].is_up) continue;
      servers_[i].follows = kNone;
    }
    for (std::size_t i = 0; i < servers_.size(); ++i) {
      if (i != primary && servers_[i].is_up) follow(i, primary);
    }
  }

  // --- who they are ---------------------------------------------------------------------------------

  std::size_t size() const { return servers_.size(); }
  bool is_up(std::size_t server) const { return servers_[server].is_up; }
  bool is_primary(std::size_t server) const { return is_up(server) && servers_[server].follows == kNone; }
  std::size_t primary_of(std::size_t server) const { return servers_[server].follows; }
  const lease::Tables& tables(std::size_t server) const { return servers_[server].data->tables; }
  const std::vector<std::string>& names(std::size_t server) const { return servers_[server].data->names; }
  const std::string& address(std::size_t server) const { return servers_[server].address; }
  std::string incarnation(std::size_t server) const { return incarnation(servers_[server]); }

 private:
  static constexpr const char* kLoopback = "127.0.0.1:6379";

  // All that was written up to some moment.
  struct Point {
    std::shared_ptr<const Point> before;
    std::uint64_t offset = 0;
    lease::Tables tables;
    std::vector<std::string> names;
  };
  using History = std::shared_ptr<const Point>;

  struct Link {
    std::size_t replica;  // none: it has left, and the primary did not notice yet
    std::string name;
    std::uint64_t sent;  // by the replica
    std::uint64_t acknowledged;
    bool is_slow = false;
  };

  struct Dump {
    History data;
    std::string id;
  };

  struct Server {
    std::string address;
    bool by_tunnel = false;
    bool is_up = true;
    std::string run, id, former_id;
    bool was_replica = false;
    bool ever_replica = false;
    std::uint64_t full = 0, partial = 0;
    History data = std::make_shared<Point>();
    std::optional<Dump> dump;
    std::size_t follows = kNone;
    std::vector<Link> links;
  };

  std::string fresh_id() { return std::to_string(++ids_); }
  std::string fresh_address() { return "10.0.1." + std::to_string(++ids_) + ":6379"; }

  void add(const std::string& host_or_address) {
    Server one;
    one.address = host_or_address.find(':') == std::string::npos ? host_or_address + ":6379" : host_or_address;
    one.by_tunnel = dice_.percent(50);
    one.run = fresh_id();
    one.id = fresh_id();
    servers_.push_back(std::move(one));
  }

  static std::string incarnation(const Server& one) {
    std::string name = one.run + ':' + one.id;
    if (!lease::keeps(lease::Rule::links_are_part_of_reign)) return name;
    name += ':' + std::to_string(one.full);
    return lease::keeps(lease::Rule::partial_links_count) ? name + '+' + std::to_string(one.partial) : name;
  }

  static bool is_part(const History& earlier, const History& later) {
    const Point* at = later.get();
    while (at != nullptr && at->offset > earlier->offset) at = at->before.get();
    return at == earlier.get();
  }

  Link* find_link(std::size_t replica) {
    const std::size_t primary = servers_[replica].follows;
    if (primary == kNone) return nullptr;
    for (Link& link : servers_[primary].links) {
      if (link.replica == replica) return &link;
    }
    return nullptr;
  }

  void link(std::size_t replica) {
    Server& one = servers_[replica];
    Server& primary = servers_[one.follows];
    if (!one.is_up || !primary.is_up) return;
    const bool same_history = one.id == primary.id || one.id == primary.former_id;
    if (same_history && is_part(one.data, primary.data) && dice_.percent(80)) {
      ++primary.partial;
    } else {
      ++primary.full;
      one.data = primary.data;
    }
    drop_links(one);  // who follows it has to hear of its new id, or to take over all data
    one.id = primary.id;
    one.former_id.clear();
    one.was_replica = false;
    one.ever_replica = true;
    primary.links.push_back({replica, tunnels_ && one.by_tunnel ? kLoopback : one.address, one.data->offset, 0});
  }

  // Its primary lists it on for a while, with what it had acknowledged.
  void leave(std::size_t replica) {
    if (Link* const link = find_link(replica)) {
      if (dice_.percent(50)) {
        link->replica = kNone;
      } else {
        break_link(replica);
      }
    }
    servers_[replica].follows = kNone;
  }

  static void drop_links(Server& primary) { primary.links.clear(); }

  void end(std::size_t server) {
    break_link(server);
    servers_[server].is_up = false;
    drop_links(servers_[server]);
  }

  void advance(const Server& primary, Link& link) {
    Server& one = servers_[link.replica];
    std::vector<History> missing;
    for (History at = primary.data; at != nullptr && at->offset > one.data->offset; at = at->before)
      missing.push_back(at);
    if (!missing.empty()) one.data = missing[dice_.percent(70) ? 0 : dice_.below(missing.size())];
    link.sent = one.data->offset;
  }

  Dice& dice_;
  bool tunnels_;
  std::vector<Server> servers_;
  std::uint64_t ids_ = 0;
};

}  // namespace polyflake::simulation
