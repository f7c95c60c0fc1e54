#include "http/http_accept.hpp"

#include <algorithm>
#include <optional>

#include <boost/beast/core/string.hpp>

namespace polyflake::server {
namespace {

constexpr int kWhole = 1000;  // q=1

struct MediaRange {
  std::string_view name;
  IdsForm form;
  bool is_named;
};

constexpr MediaRange kRanges[] = {
    {"application/json", IdsForm::json, true},
    {"text/plain", IdsForm::lines, true},
    {"application/octet-stream", IdsForm::bytes, true},
    {"*/*", IdsForm::json, false},
    {"application/*", IdsForm::json, false},
    {"text/*", IdsForm::lines, false},
};

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

bool same_word(std::string_view a, std::string_view b) {
  return boost::beast::iequals({a.data(), a.size()}, {b.data(), b.size()});
}

// Takes what comes before `separator` off the text.
std::string_view next_part(std::string_view& text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return trimmed(part);
}

// Returns the thousandths of a qvalue: 1, or 0 with up to three decimals. 0 for any other text.
int thousandths(std::string_view text) {
  if (text.empty() || (text[0] != '0' && text[0] != '1')) return 0;
  if (text[0] == '1') return kWhole;
  int value = 0;
  int unit = kWhole / 10;
  for (const char c : text.substr(std::min<std::size_t>(2, text.size()))) {
    if (c < '0' || c > '9') return 0;
    value += unit * (c - '0');
    unit /= 10;
  }
  return value;
}

}  // namespace

void Accept::add(std::string_view value) {
  while (!value.empty()) add_range(next_part(value, ','));
}

void Accept::add_range(std::string_view range) {
  const std::string_view name = next_part(range, ';');
  const auto* const known = std::find_if(std::begin(kRanges), std::end(kRanges),
                                         [&](const MediaRange& each) { return same_word(each.name, name); });
  if (known == std::end(kRanges)) return;
  int q = kWhole;
  while (!range.empty()) {
    const std::string_view parameter = next_part(range, ';');
    if (same_word(parameter.substr(0, 2), "q=")) q = thousandths(parameter.substr(2));
  }
  const int rank = q == 0 ? 0 : 2 * q + (known->is_named ? 1 : 0);
  if (rank <= rank_) return;
  rank_ = rank;
  form_ = known->form;
}

}  // namespace polyflake::server
