#include "lease/store_url.hpp"

#include <polyflake/error.hpp>

#include <algorithm>
#include <initializer_list>
#include <set>

#include "base/ascii.hpp"
#include "lease/record.hpp"

namespace polyflake::lease {
namespace {

constexpr struct {
  std::string_view scheme;
  const char* kind;
} kSchemes[] = {{"redis", "redis"}, {"rediss", "redis"}, {"redis+sentinel", "redis"},  {"zookeeper", "zookeeper"},
                {"etcd", "etcd"},   {"etcds", "etcd"},   {"postgresql", "postgresql"}, {"mysql", "mysql"}};

constexpr std::size_t kLongestUrl = 2048;
constexpr std::size_t kLongestName = 64;
constexpr std::size_t kLongestSchema = 63;  // of PostgreSQL

const char* kind_of(std::string_view text) {
  const std::size_t end = text.find("://");
  if (end == std::string_view::npos) return nullptr;
  for (const auto& one : kSchemes) {
    if (text.substr(0, end) == one.scheme) return one.kind;
  }
  return nullptr;
}

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

// The name as the database keeps it. SQL has it between quotes, and none of these characters ends them.
bool is_schema(std::string_view text) {
  return !text.empty() && text.size() <= kLongestSchema && std::all_of(text.begin(), text.end(), [](char c) {
    return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9') || c == '_' || c == '-';
  });
}

LeaseOptions::AutoInit auto_init_of(std::string_view value) {
  if (value == "0") return LeaseOptions::AutoInit::no;
  if (value == "1") return LeaseOptions::AutoInit::yes;
  // An address that vouches at every start repeats ids once the store was flushed.
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

// Beside the times.
constexpr struct {
  std::string_view name;
  void (*set)(Place& place, std::string_view value);
} kParameters[] = {
    {"namespace",
     [](Place& place, std::string_view value) {
       if (!is_name(value))
         refuse("namespace", value, "1 to 64 of a-z, 0-9, '.', '_' and '-', a letter or digit first");
       place.name = value;
     }},
    {"uuid",
     [](Place& place, std::string_view value) {
       if (!word_of(value)) refuse("uuid", value, "32 lower-case hex digits are needed");
       place.options.uuid = value;
     }},
    {"auto_init", [](Place& place, std::string_view value) { place.options.auto_init = auto_init_of(value); }},
    {"label", [](Place& place, std::string_view value) { place.options.label = label_of(value); }},
    {"schema", [](Place& place, std::string_view value) {
       if (!is_schema(value)) refuse("schema", value, "1 to 63 letters, digits, '_' and '-'");
       place.schema = value;
     }}};

std::string letters_of(std::string_view name) {
  std::string letters;
  for (const char c : name) {
    if (c != '_' && c != '-') letters += 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return letters;
}

// windowMs in an address is no parameter of any client, and most clients would pass over it in silence.
void refuse_other_spelling(std::string_view parameter) {
  const auto refuse_like = [&](std::string_view ours) {
    if (letters_of(parameter) != letters_of(ours)) return;
    throw Error(ErrorCode::option_invalid, "there is no parameter " + quoted(parameter) +
                                               " in the address of a store; did you mean " + std::string(ours) + "?");
  };
  for (const auto& time : kTimes) refuse_like(time.name);
  for (const auto& one : kParameters) refuse_like(one.name);
}

// host: what stands behind user and password. Clients of Redis disagree on a path that is no number: some take database 0.
void check_database(std::string_view host, bool sentinel) {
  const std::size_t slash = host.find('/');
  std::string_view path = slash == std::string_view::npos ? "" : host.substr(slash + 1);
  if (sentinel) path.remove_prefix(std::min(path.find('/'), path.size()));
  if (sentinel && !path.empty()) path.remove_prefix(1);
  const auto number = ascii::decimal(path);
  if (path.empty() || (number && *number <= INT32_MAX)) return;
  throw Error(ErrorCode::worker_source_invalid,
              "in the address of a Redis the path is the number of a database, as in redis://host:6379/0, behind a "
              "Sentinel the name of the primary first, as in redis+sentinel://host:26379/mymaster/0");
}

// Errors: option_invalid for a parameter that names a place a second time, since clients disagree on which one counts, and
// one address would lead to two stores. A server without a name before the '?' may have one there, as a socket of PostgreSQL.
void check_place(std::string_view parameter, bool has_host) {
  const std::string letters = letters_of(parameter);
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

// Errors: worker_source_invalid for a chroot that some clients decode, or that has empty parts, which some pass over.
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

bool Place::set(std::string_view parameter, std::string_view value) {
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

void check_schema(const std::string& kind, const Place& place) {
  // PostgreSQL keeps these names for itself: pg_temp is another schema for each session.
  if (kind == "postgresql" && place.schema.substr(0, 3) == "pg_")
    refuse("schema", place.schema, "a name that does not begin with pg_ is needed");
  if (place.schema.empty() || kind == "postgresql" || kind == "mysql") return;
  refuse("schema", place.schema, "only databases have schemas, and this store is none");
}

bool is_store_url(std::string_view text) { return text.find("://") != std::string_view::npos; }

StoreUrl parse_store_url(std::string_view text) {
  const char* const kind = kind_of(text);
  const bool printable = std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c <= '~'; });
  if (kind == nullptr || text.size() > kLongestUrl || !printable) {
    throw Error(
        ErrorCode::worker_source_invalid,
        "the address of a store begins with redis://, rediss://, redis+sentinel://, zookeeper://, etcd://, etcds://, "
        "postgresql:// or mysql://, and has at most 2048 characters: printable ASCII without spaces, others as %20");
  }
  const std::size_t query = std::min(text.find('?'), text.size());
  // It may be that of the address, after a password with a '?' in it: then what stands before belongs to the password.
  if (text.find('@', query) != std::string_view::npos) {
    throw Error(ErrorCode::worker_source_invalid,
                "in the address of a store no '@' stands after a '?': write %3F in a password, and %40 in a parameter");
  }
  const std::string_view address = text.substr(0, query);
  StoreUrl url{kind, std::string(address), std::string(address), {}};
  // The last '@' of all: rather too much is left out than a part of a password shown.
  const std::size_t host = address.find("://") + 3;
  const std::size_t at = address.rfind('@');
  if (at != std::string_view::npos && at >= host) url.shown.erase(host, at + 1 - host);
  if (url.kind == "redis")
    check_database(std::string_view(url.shown).substr(host), address.substr(0, host) == "redis+sentinel://");
  const std::string server = url.shown.substr(host, url.shown.find('/', host) - host);
  if (url.kind == "zookeeper") check_chroot(std::string_view(url.shown).substr(host + server.size()));
  std::set<std::string_view> set;
  char separator = '?';
  for (std::size_t from = query + 1; from < text.size();) {
    const std::size_t end = std::min(text.find('&', from), text.size());
    const std::string_view parameter = text.substr(from, end - from);
    const std::size_t equals = std::min(parameter.find('='), parameter.size());
    const std::string_view value = parameter.substr(std::min(equals + 1, parameter.size()));
    const std::string_view name = parameter.substr(0, equals);
    if (url.place.set(name, value)) {
      if (!set.insert(name).second) refuse(name, value, "it is given twice");
    } else {
      refuse_other_spelling(name);
      check_place(name, !server.empty());
      url.client += separator;
      url.client += parameter;
      separator = '&';
    }
    from = end + 1;
  }
  check_schema(url.kind, url.place);
  if (url.place.name.empty()) {
    throw Error(ErrorCode::worker_source_invalid,
                "the store's address " + quoted(url.shown) + " needs a namespace: ?namespace=orders");
  }
  url.shown += "?namespace=" + url.place.name;
  return url;
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
