#include "lease/store_url.hpp"

#include <polyflake/error.hpp>

#include <algorithm>
#include <initializer_list>
#include <set>
#include <utility>

#include "base/ascii.hpp"
#include "base/closest.hpp"
#include "base/message.hpp"
#include "base/pieces.hpp"
#include "lease/record.hpp"
#include "lease/store_kinds.hpp"

namespace polyflake::lease {
namespace {

constexpr std::size_t kLongestUrl = 2048;
constexpr std::size_t kLongestName = 64;
constexpr std::size_t kLongestSchema = 63;  // the limit of PostgreSQL

[[noreturn]] void refuse(std::string_view parameter, std::string_view value, const std::string& allowed) {
  throw Error(ErrorCode::option_invalid, std::string(parameter) + " " + quoted(value) + ": " + allowed);
}

constexpr char kAllowedMs[] = "a whole number of ms below 2^31 is needed";

constexpr struct {
  std::string_view name;
  std::int64_t LeaseOptions::* member;
} kTimes[] = {{"window_ms", &LeaseOptions::window_ms},
              {"tolerance_ms", &LeaseOptions::tolerance_ms},
              {"acquire_timeout_ms", &LeaseOptions::acquire_timeout_ms},
              {"renew_wait_ms", &LeaseOptions::renew_wait_ms}};

std::int64_t ms_of(std::string_view parameter, std::string_view value) {
  const auto ms = ascii::decimal(value);
  if (!ms || *ms > INT32_MAX) refuse(parameter, value, kAllowedMs);
  return static_cast<std::int64_t>(*ms);
}

bool is_name(std::string_view text) {
  constexpr std::string_view kFirst = "abcdefghijklmnopqrstuvwxyz0123456789";
  return !text.empty() && text.size() <= kLongestName && kFirst.find(text.front()) != std::string_view::npos &&
         std::all_of(text.begin(), text.end(), [&](char c) {
           return kFirst.find(c) != std::string_view::npos || c == '.' || c == '_' || c == '-';
         });
}

// Returns true for a name that the database keeps unchanged. SQL has it between quotes, and none of
// these characters ends them.
bool is_schema(std::string_view text) {
  return !text.empty() && text.size() <= kLongestSchema && std::all_of(text.begin(), text.end(), [](char c) {
    return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9') || c == '_' || c == '-';
  });
}

LeaseOptions::AutoInit auto_init_of(std::string_view value) {
  if (value == "0") return LeaseOptions::AutoInit::no;
  if (value == "1") return LeaseOptions::AutoInit::yes;
  // An address is used at every start: if it always vouched, ids would repeat after the store was
  // flushed.
  const bool vouches = value == "fresh";
  refuse("auto_init", value,
         vouches ? "0 or 1; to vouch that no namespace of this name ever was, call "
                   "init_namespace(fresh=True) once"
                 : "0 or 1");
}

bool label_of(std::string_view value) {
  if (value != "0" && value != "1") refuse("label", value, "0 or 1");
  return value == "1";
}

// The parameters other than times.
constexpr struct {
  std::string_view name;
  void (*set)(WantedNamespace& wanted, std::string_view value);
} kParameters[] = {
    {"namespace",
     [](WantedNamespace& wanted, std::string_view value) {
       if (!is_name(value))
         refuse("namespace", value, "1 to 64 of a-z, 0-9, '.', '_' and '-', a letter or digit first");
       wanted.name = value;
     }},
    {"uuid",
     [](WantedNamespace& wanted, std::string_view value) {
       if (!word_of(value)) refuse("uuid", value, "32 lower-case hex digits are needed");
       wanted.options.uuid = value;
     }},
    {"auto_init",
     [](WantedNamespace& wanted, std::string_view value) { wanted.options.auto_init = auto_init_of(value); }},
    {"label", [](WantedNamespace& wanted, std::string_view value) { wanted.options.label = label_of(value); }},
    {"schema", [](WantedNamespace& wanted, std::string_view value) {
       if (!is_schema(value)) refuse("schema", value, "1 to 63 letters, digits, '_' and '-'");
       wanted.schema = value;
     }}};

// No client has a parameter windowMs, and most clients would ignore it silently.
void refuse_other_spelling(std::string_view parameter) {
  const auto refuse_like = [&](std::string_view ours) {
    if (plain_name(parameter) != plain_name(ours)) return;
    throw Error(ErrorCode::option_invalid, "there is no parameter " + quoted(parameter) +
                                               " in the address of a store; did you mean " + std::string(ours) + "?");
  };
  for (const auto& time : kTimes) refuse_like(time.name);
  for (const auto& one : kParameters) refuse_like(one.name);
}

// Clients of Redis disagree on a path that is not a number: some take database 0.
void check_database(std::string_view path, bool sentinel) {
  path.remove_prefix(path.empty() ? 0 : 1);
  if (sentinel) path.remove_prefix(std::min(path.find('/'), path.size()));
  if (sentinel && !path.empty()) path.remove_prefix(1);
  const auto number = ascii::decimal(path);
  if (path.empty() || (number && *number <= INT32_MAX)) return;
  throw Error(ErrorCode::worker_source_invalid,
              "in the address of a Redis the path is the number of a database, as in redis://host:6379/0, behind a "
              "Sentinel the name of the primary first, as in redis+sentinel://host:26379/mymaster/0");
}

// Errors: option_invalid for a parameter that names a server or database a second time: clients
// disagree on which one counts, so one address would lead to two stores. If no server is named
// before the '?', a parameter may name it, for example a socket of PostgreSQL.
void check_server_parameter(std::string_view parameter, bool has_host) {
  const std::string letters = plain_name(parameter);
  const auto is_one_of = [&](std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), letters) != names.end();
  };
  const bool escaped = parameter.find('%') != std::string_view::npos;
  const bool elsewhere = is_one_of({"db", "dbname", "pgdbname", "database", "keyprefix", "service"});
  if (!escaped && !elsewhere &&
      !(has_host && is_one_of({"host", "hostaddr", "pghost", "port", "pgport", "path", "unixsocket"})))
    return;
  throw Error(
      ErrorCode::option_invalid,
      "the parameter " + quoted(parameter) +
          (escaped ? " in the address of a store: names of parameters are written without %"
                   : " in the address of a store: server and database are named before the '?' alone, since clients "
                     "disagree on which of two counts"));
}

// Errors: worker_source_invalid for a chroot that some clients decode, or with empty parts, which
// some ignore.
void check_chroot(std::string_view path) {
  const bool plain =
      path.empty() || path == "/" ||
      (path.find('%') == std::string_view::npos && path.find("//") == std::string_view::npos && path.back() != '/');
  if (plain) return;
  throw Error(
      ErrorCode::worker_source_invalid,
      "in the address of a ZooKeeper the path is a folder, as in zookeeper://h1,h2/services/ids: without %, empty "
      "parts, or a '/' at the end");
}

}  // namespace

bool WantedNamespace::set(std::string_view parameter, std::string_view value) {
  for (const auto& time : kTimes) {
    if (parameter != time.name) continue;
    options.*time.member = ms_of(parameter, value);
    return true;
  }
  for (const auto& one : kParameters) {
    if (parameter != one.name) continue;
    one.set(*this, value);
    return true;
  }
  return false;
}

void check_schema(const std::string& kind, const WantedNamespace& wanted) {
  // PostgreSQL reserves these names: pg_temp is another schema for each session.
  if (kind == "postgresql" && wanted.schema.substr(0, 3) == "pg_")
    refuse("schema", wanted.schema, "a name that does not begin with pg_ is needed");
  if (wanted.schema.empty() || store_kind(kind).has_schemas) return;
  refuse("schema", wanted.schema, "only databases have schemas, and this store is none");
}

namespace {

// Returns the kind of store. Errors: worker_source_invalid if the text cannot be an address of a
// store at all.
const StoreKind& checked_kind(std::string_view text) {
  const std::string_view scheme = text.substr(0, std::min(text.find("://"), text.size()));
  const StoreKind* const kind = store_kind_of_scheme(scheme);
  const bool printable = std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c <= '~'; });
  if (kind == nullptr || text.size() > kLongestUrl || !printable) {
    const std::string meant = kind == nullptr ? closest_scheme(scheme) : "";
    throw Error(ErrorCode::worker_source_invalid,
                "the address of a store begins with " + all_schemes() +
                    (meant.empty() ? "" : " (did you mean " + meant + "://?)") +
                    ", and has at most 2048 characters: printable ASCII without spaces, others as %20");
  }
  // The '@' may be that of the address, after a password with a '?' in it: then the text before it
  // is part of the password.
  if (text.find('@', std::min(text.find('?'), text.size())) != std::string_view::npos) {
    throw Error(ErrorCode::worker_source_invalid,
                "in the address of a store no '@' stands after a '?': write %3F in a password, and %40 in a parameter");
  }
  return *kind;
}

// Errors: option_invalid for a parameter that no client reads. Those of ZooKeeper and etcd take no
// addresses; Python reads files of TLS from that of etcd.
void check_client_parameter(std::string_view parameter, const StoreUrl& url) {
  if (url.kind != "memory" && url.kind != "zookeeper" && url.kind != "etcd") return;
  const bool is_file = parameter == "cacert" || parameter == "cert" || parameter == "key";
  if (is_file && url.client.compare(0, 8, "etcds://") == 0) return;
  throw Error(ErrorCode::option_invalid,
              "there is no parameter " + quoted(parameter) + " in an address of " + url.kind);
}

// Sets what the parameters name in url.wanted, and adds the client's own ones to url.client.
// Returns one of the former; "" if there is none. Errors: option_invalid.
std::string_view read_parameters(std::string_view parameters, bool has_host, StoreUrl& url) {
  std::set<std::string_view> set;
  char separator = '?';
  while (!parameters.empty()) {
    const std::size_t end = std::min(parameters.find('&'), parameters.size());
    const std::string_view parameter = parameters.substr(0, end);
    const std::size_t equals = std::min(parameter.find('='), parameter.size());
    const std::string_view value = parameter.substr(std::min(equals + 1, parameter.size()));
    const std::string_view name = parameter.substr(0, equals);
    if (url.wanted.set(name, value)) {
      if (!set.insert(name).second) refuse(name, value, "it is given twice");
    } else if (!parameter.empty()) {
      refuse_other_spelling(name);
      check_server_parameter(name, has_host);
      check_client_parameter(name, url);
      url.client += separator;
      url.client += parameter;
      separator = '&';
    }
    parameters.remove_prefix(std::min(end + 1, parameters.size()));
  }
  return set.empty() ? std::string_view() : *set.begin();
}

bool is_host(std::string_view host) {
  if (!host.empty() && host.front() == '[') {
    const std::size_t end = host.find_first_not_of("0123456789abcdefABCDEF:.", 1);
    if (end == std::string_view::npos || host[end] != ']') return false;
    host.remove_prefix(end + 1);
  } else {
    host.remove_prefix(word_length(host));
  }
  return host.empty() || (host.front() == ':' && std::all_of(host.begin() + 1, host.end(), ascii::is_digit));
}

bool is_folder(std::string_view name) { return word_length(name) == name.size(); }

// Errors: worker_source_invalid. The name of a store in memory is its identity, so no part of it can
// be left out.
void check_memory(const StoreUrl& url) {
  if (url.client != url.shown) {
    throw Error(ErrorCode::worker_source_invalid,
                "the name of a store in memory has letters, digits, '_', '.' and '-', as in memory://test");
  }
}

// Returns the address for people. What does not look like hosts and a path may be a password in
// the wrong part.
std::string without_secrets(std::string_view scheme, std::string_view hosts, std::string_view path) {
  const auto are_all = [](std::string_view list, char separator, bool (*is_one)(std::string_view)) {
    const std::vector<std::string> pieces = pieces_of(list, separator);
    return std::all_of(pieces.begin(), pieces.end(), is_one);
  };
  return std::string(scheme) + std::string(are_all(hosts, ',', is_host) ? hosts : "...") +
         std::string(are_all(path, '/', is_folder) ? path : "/...");
}

struct Parsed {
  StoreUrl url;
  std::string_view parameter;  // one of ours; "" if there is none
};

Parsed parsed(std::string_view text) {
  const StoreKind& kind = checked_kind(text);
  const std::size_t query = std::min(text.find('?'), text.size());
  const std::string_view address = text.substr(0, query);
  // The last '@': better to leave out too much than to show a part of a password.
  const std::size_t scheme = address.find("://") + 3;
  const std::size_t at = address.rfind('@');
  const std::string_view server = address.substr(at == std::string_view::npos || at < scheme ? scheme : at + 1);
  const std::string_view hosts = server.substr(0, server.find('/'));
  const std::string_view path = server.substr(hosts.size());
  StoreUrl url{
      std::string(kind.name), std::string(address), without_secrets(address.substr(0, scheme), hosts, path), {}};
  if (url.kind == "redis") check_database(path, address.substr(0, scheme) == "redis+sentinel://");
  if (url.kind == "zookeeper") check_chroot(path);
  const auto ours = read_parameters(text.substr(std::min(query + 1, text.size())), !hosts.empty(), url);
  if (kind.make == nullptr) check_memory(url);
  check_schema(url.kind, url.wanted);
  return {std::move(url), ours};
}

}  // namespace

StoreUrl parse_store_url(std::string_view text) {
  StoreUrl url = parsed(text).url;
  if (url.wanted.name.empty()) {
    throw Error(ErrorCode::worker_source_invalid,
                "the store's address " + url.shown + " needs a namespace: ?namespace=orders");
  }
  url.shown += "?namespace=" + url.wanted.name;
  return url;
}

StoreUrl parse_server_url(std::string_view text) {
  Parsed found = parsed(text);
  if (found.parameter.empty()) return std::move(found.url);
  throw Error(ErrorCode::option_invalid, found.url.shown + ": this address has no parameter " +
                                             quoted(found.parameter) + ", since nothing of a namespace is used");
}

Settings settings_of(const Layout& layout) {
  Settings settings;
  settings.layout = layout.fingerprint();
  settings.capacity = layout.largest_node() + 1;
  return settings;
}

Settings settings_for(const LeaseOptions& options, const Layout& layout, const std::string& label) {
  for (const auto& time : kTimes) {
    const std::int64_t ms = options.*time.member;
    if (ms < 0 || ms > INT32_MAX) refuse(time.name, std::to_string(ms), kAllowedMs);
  }
  if (options.window_ms < 3 * layout.tick_ms() || options.window_ms == 0) {
    refuse("window_ms", std::to_string(options.window_ms), "at least three ticks of the layout are needed");
  }
  if (options.tolerance_ms >= options.window_ms) {
    refuse("tolerance_ms", std::to_string(options.tolerance_ms), "it must be below window_ms");
  }
  Settings settings = settings_of(layout);
  if (!options.uuid.empty()) {
    settings.uuid = word_of(options.uuid);
    if (!settings.uuid) refuse("uuid", options.uuid, "32 lower-case hex digits are needed");
  }
  settings.makes_namespace = options.auto_init != LeaseOptions::AutoInit::no;
  settings.window_ms = options.window_ms;
  settings.tolerance_ms = options.tolerance_ms;
  settings.acquire_timeout_ms = options.acquire_timeout_ms;
  if (options.label) settings.label = label;
  return settings;
}

}  // namespace polyflake::lease
