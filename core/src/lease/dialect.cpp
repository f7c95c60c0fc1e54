#include "lease/dialect.hpp"

#include <polyflake/error.hpp>

#include "base/pieces.hpp"
#include "lease/reply.hpp"
#include "lease/store_kinds.hpp"

namespace polyflake::lease {
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

constexpr struct {
  std::string_view codes;
  const char* sentence;
} kAdvice[] = {
    {"ECONNREFUSED", "no server listens at this address"},
    {"ENOTFOUND EAI_NONAME EAI_AGAIN", "this host name is not known here"},
    {"EHOSTUNREACH ENETUNREACH", "there is no way to this host"},
    {"ETIMEDOUT ESOCKETTIMEDOUT", "the server did not answer in time"},
    {"ECONNRESET EPIPE",
     "the server ended the connection; if it expects TLS, the address begins with rediss:// or etcds://, or has the TLS "
     "options of its client"},
    {"TLS EPROTO ERR_SSL_WRONG_VERSION_NUMBER DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN CERT_HAS_EXPIRED "
     "UNABLE_TO_VERIFY_LEAF_SIGNATURE UNABLE_TO_GET_ISSUER_CERT_LOCALLY ERR_TLS_CERT_ALTNAME_INVALID",
     "TLS failed: does the server have TLS at this port, and the host name and the authority of its certificate?"},
    // Redis
    {"NOAUTH", "the server asks for a password: redis://user:password@host"},
    {"WRONGPASS", "the server refused this user and password"},
    {"NOPERM", "this user may not run the commands of leases: see docs/leases.md"},
    {"LOADING MASTERDOWN CLUSTERDOWN", "the server is not ready yet"},
    // PostgreSQL and MySQL
    {"28P01 28000 1045 1698", "the server refused this user and password"},
    {"3D000 1049", "there is no database of this name"},
    {"53300 1040", "the server has no connection left: a lease needs one"},
    // etcd, by HTTP and gRPC, and ZooKeeper
    {"400 401 INVALID_ARGUMENT UNAUTHENTICATED",
     "the server refused this user and password, or asks for them: etcd://user:password@host"},
    {"403 PERMISSION_DENIED", "this user may not read and write the keys of the namespace"},
    {"-102 -115 AUTH_FAILED", "this user may not read and write the folder of the namespace"},
};

}  // namespace

std::string StoreTraits::advice(const std::string& code) const { return advice_on(code); }

std::string advice_on(std::string_view code) {
  for (const auto& row : kAdvice) {
    for (const std::string& one : pieces_of(row.codes, ' ')) {
      if (one == code) return row.sentence;
    }
  }
  return "";
}

std::string with_advice(const std::string& failure, const std::string& advice) {
  return advice.empty() ? failure : failure + "; " + advice;
}

Outcome outcome_of(const std::string& word) {
  for (const auto& one : kOutcomeWords) {
    if (word == one.word) return one.outcome;
  }
  misunderstood(quoted(word) + " is no outcome");
}

std::unique_ptr<Dialect> make_dialect(const std::string& kind, const std::string& name, const std::string& schema,
                                      Placeholder placeholder) {
  const StoreKind& row = store_kind(kind);
  return row.make == nullptr ? nullptr : row.make(name, schema, placeholder);
}

const char* word_of(Outcome outcome) {
  for (const auto& one : kOutcomeWords) {
    if (outcome == one.outcome) return one.word;
  }
  return "";
}

}  // namespace polyflake::lease
