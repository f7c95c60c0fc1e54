#include "lease/redis_copies.hpp"

#include <polyflake/error.hpp>
#include <polyflake/text.hpp>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/ascii.hpp"
#include "base/message.hpp"
#include "base/pieces.hpp"
#include "lease/reply.hpp"
#include "lease/rules.hpp"

namespace polyflake::lease {
namespace {

constexpr int kMostWaits = 6;
constexpr std::int64_t kMomentMs = 10;  // long enough for a replica to acknowledge when asked

// Returns the value of `name`, which begins after `mark`. Any of `ends` separates one name from the
// value before it.
std::optional<std::string_view> value_in(std::string_view text, std::string_view name, char mark,
                                         std::string_view ends) {
  for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const bool begins = at == 0 || ends.find(text[at - 1]) != std::string_view::npos;
    const std::size_t from = at + name.size();
    if (!begins || from >= text.size() || text[from] != mark) continue;
    const std::string_view rest = text.substr(from + 1);
    return rest.substr(0, rest.find_first_of(ends));
  }
  return std::nullopt;
}

std::string_view line_in(std::string_view info, std::string_view name) {
  const auto value = value_in(info, name, ':', "\r\n");
  if (!value) misunderstood("INFO replication has no " + std::string(name));
  return *value;
}

std::uint64_t number_in(std::string_view text) {
  const auto number = ascii::decimal(text);
  if (!number) misunderstood("INFO replication has something else than a number");
  return *number;
}

bool is_shared(std::string_view name) {
  if (!keeps(Rule::shared_is_no_name)) return false;
  constexpr std::string_view kLoopback[] = {"127.", "[::1]", "localhost:"};
  return std::any_of(std::begin(kLoopback), std::end(kLoopback),
                     [name](std::string_view start) { return name.substr(0, start.size()) == start; });
}

// A client that takes a dump, such as redis-cli --rdb, is listed with port 0.
bool has_port(std::string_view name) { return name.size() < 2 || name.substr(name.size() - 2) != ":0"; }

std::vector<std::string> sorted(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::string listed(const std::vector<std::string>& names, const char* separator = ", ") {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : separator) + name;
  return text;
}

Confirmation::Step step_of(Confirmation::Step::Kind kind) {
  Confirmation::Step step;
  step.kind = kind;
  return step;
}

Confirmation::Step wait_for(std::uint64_t replicas, std::int64_t ms) {
  Confirmation::Step step = step_of(Confirmation::Step::Kind::wait);
  step.replicas = replicas;
  step.ms = ms;
  return step;
}

Confirmation::Step failed(std::string reason) {
  Confirmation::Step step;
  step.reason = std::move(reason);
  return step;
}

}  // namespace

Replication replication_in(std::string_view info) {
  Replication seen;
  seen.is_primary = line_in(info, "role") == "master";
  seen.offset = number_in(line_in(info, "master_repl_offset"));
  seen.was_replica = line_in(info, "second_repl_offset") != "-1";
  seen.count = number_in(line_in(info, "connected_slaves"));
  for (std::uint64_t i = 0;; ++i) {
    const auto line = value_in(info, "slave" + std::to_string(i), ':', "\r\n");
    if (!line) return seen;
    const auto field = [&line](std::string_view name) { return value_in(*line, name, '=', ",").value_or(""); };
    seen.replicas.push_back({copy_name(field("ip"), field("port")), field("state") == "online",
                             ascii::decimal(field("offset")).value_or(0)});
  }
}

// --- names ---------------------------------------------------------------------------------------

std::string copy_name(std::string_view host, std::string_view port) {
  const bool is_v6 = host.find(':') != std::string_view::npos && host.front() != '[';
  std::string name = is_v6 ? "[" + std::string(host) + "]" : std::string(host);
  return name.append(":").append(port);
}

std::string name_of_server(std::string_view announced_host, std::string_view announced_port,
                           std::string_view client_info) {
  const std::string_view end = value_in(client_info, "laddr", '=', " \r\n").value_or("");
  const std::size_t colon = end.rfind(':');
  const bool is_socket = end.empty() || end.front() == '/' || colon == std::string_view::npos;
  const std::string_view own_host = is_socket ? "" : end.substr(0, colon);
  const std::string_view own_port = is_socket ? "" : end.substr(colon + 1);
  const bool announces_port = !announced_port.empty() && announced_port != "0";
  const std::string_view host = announced_host.empty() ? own_host : announced_host;
  const std::string_view port = announces_port ? announced_port : own_port;
  return host.empty() || port.empty() ? "" : copy_name(host, port);
}

std::vector<std::string> names_in(std::string_view text) { return sorted(pieces_of(text, ',')); }

std::string text_of(const std::vector<std::string>& names) { return listed(names, ","); }

std::vector<std::string> copies_of(const std::string& text) {
  std::vector<std::string> names = names_in(text);
  if (names.empty()) throw Error(ErrorCode::option_invalid, "copies: name at least one, like \"10.0.0.1:6379\"");
  for (const std::string& name : names) {
    const std::size_t colon = name.rfind(':');
    const auto port = ascii::decimal(name.substr(colon == std::string::npos ? name.size() : colon + 1));
    const bool is_plain = std::all_of(name.begin(), name.end(), [](char c) { return c > ' ' && c <= '~'; });
    if (is_plain && colon != std::string::npos && colon > 0 && port && *port >= 1 && *port <= 65535) continue;
    throw Error(ErrorCode::option_invalid,
                "copies: " + quoted(name) + " is no address and port, like \"10.0.0.1:6379\"");
  }
  if (!are_distinct(names)) {
    throw Error(ErrorCode::option_invalid,
                "copies: some are of the loopback, which each host has for itself: name all by addresses that other "
                "hosts know");
  }
  return names;
}

bool are_distinct(const std::vector<std::string>& names) {
  const auto shared =
      std::count_if(names.begin(), names.end(), [](const std::string& name) { return is_shared(name); });
  return shared == 0 || static_cast<std::size_t>(shared) == names.size();
}

std::vector<std::string> first_copies(const std::string& server, const Replication& seen) {
  if (seen.replicas.empty() || server.empty()) return {};
  std::vector<std::string> names{server};
  for (const Replication::Replica& replica : seen.replicas) {
    if (replica.name == server && keeps(Rule::shared_is_no_name)) return {};
    if (has_port(replica.name)) names.push_back(replica.name);
  }
  if (names.size() == 1) return {};
  names = sorted(std::move(names));
  return are_distinct(names) ? names : std::vector<std::string>{};
}

// --- counting ------------------------------------------------------------------------------------

Confirmation::Confirmation(Copies copies, std::string server, std::string incarnation, bool all, std::int64_t ms)
    : copies_(std::move(copies)),
      server_(std::move(server)),
      incarnation_(std::move(incarnation)),
      ms_(ms),
      needed_(all ? copies_.names.size() : copies_.names.size() / 2 + 1) {}

Confirmation::Step Confirmation::written(const Replication& seen) {
  // A replica may be set up to take writes, which never reach its primary.
  if (!seen.is_primary && keeps(Rule::reign_at_each_look)) return failed("the server is a replica");
  if (copies_.fenced || !keeps(Rule::majority_of_named)) {
    // Counts replicas: together with the primary these are more than half.
    needed_ = (seen.count + 1) / 2;
    return needed_ == 0 ? step_of(Step::Kind::counts) : wait_for(needed_, ms_);
  }
  if (!copies_.names.empty()) return step_of(Step::Kind::look);
  const bool is_alone = seen.count == 0 && !seen.was_replica;
  if (is_alone || !keeps(Rule::empty_counts_alone)) return step_of(Step::Kind::counts);
  return failed(seen.count != 0
                    ? "the namespace names no copies, and the server has replicas: connect to an address of it that "
                      "other hosts know, or let an operator name them, raise_floor(copies=[...])"
                    : "the namespace names no copies, and the server was a replica: others may hold its writes; an "
                      "operator names the copies, raise_floor(copies=[...])");
}

Confirmation::Step Confirmation::looked(const std::string& incarnation, const Replication& seen) {
  const bool same = seen.is_primary && incarnation == incarnation_;
  if (!same && keeps(Rule::reign_at_each_look)) return failed("the server was demoted, or a replica came, meanwhile");
  if (!std::exchange(looked_, true)) offset_ = seen.offset;
  std::uint64_t having = 0, present = 0;
  for (const std::string& name : copies_.names) {
    having += has_it(name, seen) ? 1 : 0;
    present += is_listed(name, seen) ? 1 : 0;
  }
  if (having >= needed_) return step_of(Step::Kind::counts);
  if (present < needed_ || waits_ == kMostWaits) return failed(too_few(seen));
  // WAIT covers this connection's own write. It also counts servers that are not named, so a look
  // follows. From the second time on it waits for one replica more than there are: that asks all of
  // them again, for a moment that grows.
  const auto own = static_cast<std::uint64_t>(std::count(copies_.names.begin(), copies_.names.end(), server_));
  if (waits_++ == 0) return wait_for(std::max<std::uint64_t>(needed_ - own, 1), ms_);
  return wait_for(seen.count + 1, std::min(kMomentMs << waits_, ms_));
}

Confirmation::Step Confirmation::waited(std::uint64_t replicas) {
  if (!copies_.fenced && keeps(Rule::majority_of_named)) return step_of(Step::Kind::look);
  if (replicas >= needed_) return step_of(Step::Kind::counts);
  return failed(std::to_string(replicas) + " replicas have the write, and " + std::to_string(needed_) + " are needed");
}

bool Confirmation::is_listed(const std::string& name, const Replication& seen) const {
  if (is_shared(name) && !are_distinct(copies_.names)) return false;
  return name == server_ || std::any_of(seen.replicas.begin(), seen.replicas.end(),
                                        [&](const auto& replica) { return replica.is_online && replica.name == name; });
}

bool Confirmation::has_it(const std::string& name, const Replication& seen) const {
  if (!is_listed(name, seen)) return false;
  return name == server_ || std::any_of(seen.replicas.begin(), seen.replicas.end(), [&](const auto& replica) {
           return replica.is_online && replica.name == name && replica.offset >= offset_;
         });
}

std::string Confirmation::too_few(const Replication& seen) const {
  std::vector<std::string> having, lacking, strangers;
  for (const std::string& name : copies_.names) (has_it(name, seen) ? having : lacking).push_back(system_name(name));
  const auto add_stranger = [&](const std::string& name) {
    if (!std::binary_search(copies_.names.begin(), copies_.names.end(), name)) strangers.push_back(system_name(name));
  };
  if (server_.empty()) {
    strangers.emplace_back("a primary without a name");
  } else {
    add_stranger(server_);
  }
  for (const Replication::Replica& replica : seen.replicas) add_stranger(replica.name);
  std::string text = std::to_string(needed_) + " of the copies that the namespace names must have a write: " +
                     (having.empty() ? "none" : listed(having)) + " confirmed, " + listed(lacking) + " did not";
  if (!strangers.empty()) text += "; not among them: " + listed(strangers);
  return text +
         "; link those that are missing to this primary, or let an operator name others, "
         "raise_floor(copies=[...])";
}

// --- the client's knowledge ----------------------------------------------------------------------

void KnownCopies::saw(std::string incarnation, Copies copies, Replication seen) {
  incarnation_ = std::move(incarnation);
  copies_ = std::move(copies);
  seen_ = std::move(seen);
}

// An address may lead to another server from one connection to the next. Only the reply to the cas
// shows that it was this one.
bool KnownCopies::begin_cas(const Cas& cas) {
  if (!server_.empty() && !keeps(Rule::name_of_one_cas)) return false;
  server_.clear();
  if (!cas.copies.empty()) return true;
  const bool is_fenced = cas.makes_namespace ? cas.fenced : copies_.fenced;
  return !is_fenced && (!copies_.names.empty() || seen_.count != 0);
}

// If the server was promoted, another one may have named the copies of the namespace meanwhile. A
// new namespace has none anywhere.
std::vector<std::string> KnownCopies::new_names(const Cas& cas) const {
  if (!cas.copies.empty()) return cas.copies;
  if (cas.incarnation != incarnation_) return {};  // the copies seen are of another reign
  if (cas.makes_namespace) return cas.fenced ? std::vector<std::string>{} : first_copies(server_, seen_);
  const bool may_name = copies_.names.empty() && !seen_.was_replica;
  if (copies_.fenced || (!may_name && keeps(Rule::copies_stay))) return {};
  return first_copies(server_, seen_);
}

Confirmation KnownCopies::confirmation(const Cas& cas, std::int64_t ms) const {
  return {copies_, server_, cas.incarnation, !cas.copies.empty(), ms};
}

}  // namespace polyflake::lease
