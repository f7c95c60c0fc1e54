#include <polyflake/kind_text.hpp>

#include <polyflake/error.hpp>

#include <algorithm>

#include "base/ascii.hpp"
#include "base/closest.hpp"
#include "base/text_refusal.hpp"
#include "bits/kind_list.hpp"

namespace polyflake {
namespace {

// These kinds have no store.
#define POLYFLAKE_NAME(name) #name,
constexpr std::string_view kKinds[] = {POLYFLAKE_KINDS(POLYFLAKE_NAME)};
#undef POLYFLAKE_NAME

constexpr std::size_t kLongestKindName = 32;
constexpr std::size_t kLongestStore = 4096;

bool may_stand(char c, std::size_t position) {
  if (c >= 'a' && c <= 'z') return true;
  return position > 0 && (ascii::is_digit(c) || c == '_');
}

// Returns the text before the ':', if there is one. The rest is never shown.
std::string_view name_in(std::string_view text) {
  const std::string_view name = text.substr(0, text.find(':'));
  const TextRefusal refusal("kind", name);
  for (std::size_t i = 0; i < std::min(name.size(), kLongestKindName); ++i) {
    if (!may_stand(name[i], i)) refusal.at(i, "a name is a letter a to z, then letters, digits and '_'");
  }
  if (name.empty()) refusal.at(0, "a name is due");
  if (name.size() > kLongestKindName) refusal.at(kLongestKindName, "a name has at most 32 characters");
  return name;
}

// Checks the store. Its text is not in the message.
void check_store(std::string_view text, std::size_t begin) {
  const TextRefusal refusal("kind", text.substr(0, begin));
  const std::string_view store = text.substr(begin);
  if (store.empty()) refusal.at(begin, "a store is due behind the ':'");
  for (std::size_t i = 0; i < std::min(store.size(), kLongestStore); ++i) {
    if (store[i] < 0x20 || store[i] > 0x7e) refusal.at(begin + i, "a store is printable ASCII");
  }
  if (store.size() > kLongestStore) refusal.at(begin + kLongestStore, "a store has at most 4096 characters");
}

std::vector<std::string> all_kinds(const std::vector<std::string>& own) {
  std::vector<std::string> all = built_in_kinds();
  all.insert(all.end(), own.begin(), own.end());
  return all;
}

[[noreturn]] void refuse_unknown(std::string_view name, const std::vector<std::string>& known) {
  const std::string nearest = closest(name, known);
  std::string message = "unknown kind " + quoted(name) + ": ";
  if (!nearest.empty()) {
    message += "did you mean '" + nearest + "'?";
  } else {
    message += "there is";
    for (const std::string& kind : known) message += (&kind == &known.front() ? " " : ", ") + kind;
  }
  throw Error(ErrorCode::unknown_kind, message);
}

bool is_built_in(std::string_view name) {
  return std::find(std::begin(kKinds), std::end(kKinds), name) != std::end(kKinds);
}

// Returns true for the built-in kinds whose numbers are in a store.
bool takes_store(std::string_view name) { return name == "segment" || name == "date" || name == "ticket"; }

}  // namespace

std::vector<std::string> built_in_kinds() { return {std::begin(kKinds), std::end(kKinds)}; }

KindText parse_kind(std::string_view text, const std::vector<std::string>& own) {
  const std::string_view name = name_in(text);
  KindText kind{std::string(name), std::nullopt};
  if (name.size() < text.size()) {
    check_store(text, name.size() + 1);
    kind.store = text.substr(name.size() + 1);
  }
  const std::vector<std::string> known = all_kinds(own);
  if (std::find(known.begin(), known.end(), name) == known.end()) refuse_unknown(name, known);
  if (kind.store && is_built_in(name) && !takes_store(name)) {
    throw Error(ErrorCode::option_invalid, "kind '" + kind.name + "' needs no store; leave out what follows the ':'");
  }
  return kind;
}

void check_new_kind(std::string_view name, const std::vector<std::string>& own) {
  const std::string_view read = name_in(name);
  if (read.size() < name.size()) TextRefusal("kind", read).at(read.size(), "a name has no ':'");
  const std::vector<std::string> known = all_kinds(own);
  if (std::find(known.begin(), known.end(), name) != known.end()) {
    throw Error(ErrorCode::option_invalid, "there is a kind " + quoted(name) + " already; choose another name");
  }
}

}  // namespace polyflake
