#include "lease/standbys.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

#include "base/ascii.hpp"

namespace polyflake::lease {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return "";
  return text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

// Returns the names of a list such as `a, "b c"`, in lower case, as case does not count; nothing if
// one is `*` (any standby).
std::optional<std::set<std::string>> named_standbys(std::string_view list) {
  std::set<std::string> names;
  while (!list.empty()) {
    std::size_t end = 0;
    for (bool quoted = false; end < list.size() && (quoted || list[end] != ','); ++end) quoted ^= list[end] == '"';
    std::string_view name = trimmed(list.substr(0, end));
    if (name.size() > 1 && name.front() == '"' && name.back() == '"') name = name.substr(1, name.size() - 2);
    if (name.empty() || name == "*") return std::nullopt;
    names.insert(ascii::lower(name));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return names;
}

}  // namespace

bool confirms_by_majority(const std::string& synchronous_standby_names, std::uint64_t connected) {
  const std::string_view text = trimmed(synchronous_standby_names);
  const std::size_t open = text.find('(');
  if (open == std::string_view::npos || text.back() != ')') return false;
  const std::string_view method = trimmed(text.substr(0, open));
  const std::size_t blank = method.find_first_of(kBlanks);
  if (blank == std::string_view::npos || ascii::lower(method.substr(0, blank)) != "any") return false;
  const auto confirming = ascii::decimal(trimmed(method.substr(blank)));
  const auto names = named_standbys(text.substr(open + 1, text.size() - open - 2));
  if (!confirming || !names || *confirming > names->size()) return false;
  const std::uint64_t copies = 1 + std::max<std::uint64_t>(names->size(), connected);
  return 2 * (*confirming + 1) > copies;
}

}  // namespace polyflake::lease
