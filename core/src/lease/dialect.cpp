#include "lease/dialect.hpp"

#include <polyflake/error.hpp>

#include "lease/dialects.hpp"
#include "lease/reply.hpp"

namespace polyflake::lease {

std::unique_ptr<Dialect> make_dialect(const std::string& kind, const std::string& name, const std::string& schema,
                                      Placeholder placeholder) {
  if (kind == "redis") return make_redis(name);
  if (kind == "postgresql") return make_postgresql(name, schema);
  if (kind == "mysql") return make_mysql(name, schema, placeholder);
  if (kind == "zookeeper") return make_zookeeper(name);
  if (kind == "etcd") return make_etcd(name);
  throw Error(ErrorCode::option_invalid, "kind of store " + quoted(kind) +
                                             ": use \"redis\", \"postgresql\", \"mysql\", \"zookeeper\" or \"etcd\"");
}

namespace {

constexpr struct {
  const char* word;
  Outcome outcome;
} kOutcomeWords[] = {{"ok", Outcome::ok},
                     {"conflict", Outcome::conflict},
                     {"incarnation", Outcome::incarnation},
                     {"too_far", Outcome::too_far},
                     {"busy", Outcome::busy},
                     {"layout", Outcome::layout},
                     {"unknown", Outcome::unknown},
                     {"wrong_namespace", Outcome::wrong_namespace}};

}  // namespace

Outcome outcome_of(const std::string& word) {
  for (const auto& one : kOutcomeWords) {
    if (word == one.word) return one.outcome;
  }
  misunderstood(quoted(word) + " is no outcome");
}

const char* word_of(Outcome outcome) {
  for (const auto& one : kOutcomeWords) {
    if (outcome == one.outcome) return one.word;
  }
  return "";
}

}  // namespace polyflake::lease
