#include "count/dialect.hpp"

#include <polyflake/error.hpp>

#include "count/record.hpp"
#include "lease/reply.hpp"
#include "lease/store_kinds.hpp"

namespace polyflake::count {
namespace {

constexpr struct {
  std::string_view name;
  std::unique_ptr<Dialect> (*make)(const Place& place);
} kDialects[] = {
#define POLYFLAKE_ROW(name) {#name, &stores::name},
    POLYFLAKE_STORES(POLYFLAKE_ROW)
#undef POLYFLAKE_ROW
};

constexpr struct {
  std::string_view word;
  Outcome outcome;
} kOutcomeWords[] = {{"ok", Outcome::ok},
                     {"absent", Outcome::absent},
                     {"conflict", Outcome::conflict},
                     {"term", Outcome::term},
                     {"incarnation", Outcome::incarnation},
                     {"until", Outcome::until},
                     {"room", Outcome::room},
                     {"wrong_namespace", Outcome::wrong_namespace}};

}  // namespace

std::unique_ptr<Dialect> make_dialect(const std::string& kind, const Place& place) {
  for (const auto& row : kDialects) {
    if (row.name == kind) return row.make(place);
  }
  lease::store_kind(kind);  // refuses it
  return nullptr;
}

Outcome outcome_of(const std::string& word) {
  for (const auto& row : kOutcomeWords) {
    if (row.word == word) return row.outcome;
  }
  lease::misunderstood(quoted(word) + " is no outcome");
}

std::optional<Record> record_in(const std::optional<lease::Fields>& fields) {
  if (!fields) return std::nullopt;
  auto record = record_of(*fields);
  if (!record) lease::misunderstood("the record of the counter is damaged, or of another version of this library");
  return record;
}

Answer step(std::optional<Record>& record, const Write& write, const Present& present) {
  return std::visit([&](const auto& request) { return step(record, request, present); }, write);
}

}  // namespace polyflake::count
