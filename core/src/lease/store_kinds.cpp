#include "lease/store_kinds.hpp"

#include <polyflake/error.hpp>

#include <utility>
#include <vector>

#include "base/closest.hpp"
#include "base/pieces.hpp"

namespace polyflake::lease {
namespace {

#define POLYFLAKE_ADDRESS(name) &stores::name,
constexpr const StoreKind* kStoreKinds[] = {POLYFLAKE_STORES(POLYFLAKE_ADDRESS)};
#undef POLYFLAKE_ADDRESS

std::vector<std::string> schemes() {
  std::vector<std::string> all;
  for (const StoreKind* kind : kStoreKinds) {
    for (std::string& scheme : pieces_of(kind->schemes, ' ')) all.push_back(std::move(scheme));
  }
  return all;
}

// Returns "a, b or c".
std::string alternatives_of(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  }
  return text;
}

}  // namespace

const StoreKind* store_kind_of_scheme(std::string_view scheme) {
  for (const StoreKind* kind : kStoreKinds) {
    for (const std::string& one : pieces_of(kind->schemes, ' ')) {
      if (scheme == one) return kind;
    }
  }
  return nullptr;
}

const StoreKind& store_kind(std::string_view name) {
  std::vector<std::string> known;
  for (const StoreKind* kind : kStoreKinds) {
    if (name == kind->name) return *kind;
    known.push_back(quoted(kind->name));
  }
  throw Error(ErrorCode::option_invalid, "kind of store " + quoted(name) + ": use " + alternatives_of(known));
}

std::string all_schemes() {
  std::vector<std::string> all = schemes();
  for (std::string& scheme : all) scheme += "://";
  return alternatives_of(all);
}

// SQLAlchemy and JDBC write the driver behind a '+' or before a ':'.
std::string closest_scheme(std::string_view scheme) {
  if (scheme.substr(0, 5) == "jdbc:") scheme.remove_prefix(5);
  return closest(scheme.substr(0, scheme.find('+')), schemes());
}

}  // namespace polyflake::lease
