#include "lease/record.hpp"

#include <polyflake/text.hpp>

#include <algorithm>

#include "base/ascii.hpp"

namespace polyflake::lease {
namespace {

constexpr const char* kFormat = "polyflake 1";
constexpr std::size_t kLongestText = 2048;
constexpr std::size_t kLongestIncarnation = 128;
constexpr std::size_t kLongestLabel = 128;

std::optional<std::uint64_t> hex_of(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  if (text.size() != 16) return std::nullopt;
  std::uint64_t value = 0;
  for (const char c : text) {
    const std::size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    value = value << 4 | digit;
  }
  return value;
}

// Reads fields from the first to the last; `whole` ends where one is not what it should be.
class Reader {
 public:
  explicit Reader(const Fields& fields) : fields_(fields) {}

  void format() { whole_ = whole_ && next() == kFormat; }
  Word word() {
    const auto word = word_of(next());
    whole_ = whole_ && word;
    return word.value_or(Word{});
  }
  std::uint64_t hex() {
    const auto value = hex_of(next());
    whole_ = whole_ && value;
    return value.value_or(0);
  }
  std::uint64_t number() {
    const auto value = ascii::decimal(next());
    whole_ = whole_ && value && *value <= INT64_MAX;
    return value.value_or(0);
  }
  bool flag() {
    const std::string& text = next();
    whole_ = whole_ && (text == "0" || text == "1");
    return text == "1";
  }
  std::int64_t ms() { return static_cast<std::int64_t>(number()); }
  std::string text(std::size_t longest) {
    const std::string& text = next();
    whole_ = whole_ && text.size() <= longest &&
             std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
    return text;
  }
  bool whole() const { return whole_ && next_ == fields_.size(); }

 private:
  const std::string& next() {
    if (next_ < fields_.size()) return fields_[next_++];
    whole_ = false;
    return none_;
  }

  const Fields& fields_;
  const std::string none_;
  std::size_t next_ = 0;
  bool whole_ = true;
};

}  // namespace

// Made at each call: what is made once and for all may be found half-made in a copy of the process, or ended at its exit.
std::vector<std::string> namespace_fields() {
  return {"format",       "uuid",    "nonce",       "term",     "layout", "window_ms",
          "tolerance_ms", "settled", "incarnation", "floor_ms", "used"};
}

std::vector<std::string> node_fields() { return {"format", "nonce", "owner", "layout", "until_ms", "label"}; }

Fields fields_of(const NamespaceRecord& record) {
  return {kFormat,
          to_text(record.uuid),
          to_text(record.nonce),
          to_text(record.term),
          polyflake::to_text(record.layout, "hex"),
          std::to_string(record.window_ms),
          std::to_string(record.tolerance_ms),
          record.settled ? "1" : "0",
          record.incarnation,
          std::to_string(record.floor_ms),
          std::to_string(record.used)};
}

Fields fields_of(const NodeRecord& record) {
  return {kFormat,
          to_text(record.nonce),
          to_text(record.owner),
          polyflake::to_text(record.layout, "hex"),
          std::to_string(record.until_ms),
          record.label};
}

std::optional<NamespaceRecord> namespace_of(const Fields& fields) {
  Reader reader(fields);
  NamespaceRecord record;
  reader.format();
  record.uuid = reader.word();
  record.nonce = reader.word();
  record.term = reader.word();
  record.layout = reader.hex();
  record.window_ms = reader.ms();
  record.tolerance_ms = reader.ms();
  record.settled = reader.flag();
  record.incarnation = reader.text(kLongestIncarnation);
  record.floor_ms = reader.ms();
  record.used = reader.number();
  const bool sound = reader.whole() && record.window_ms > 0 && record.tolerance_ms < record.window_ms;
  return sound ? std::optional(record) : std::nullopt;
}

std::optional<NodeRecord> node_of(const Fields& fields) {
  Reader reader(fields);
  NodeRecord record;
  reader.format();
  record.nonce = reader.word();
  record.owner = reader.word();
  record.layout = reader.hex();
  record.until_ms = reader.ms();
  record.label = reader.text(kLongestLabel);
  return reader.whole() ? std::optional(record) : std::nullopt;
}

bool may_be_handed_out(std::uint64_t node, const std::optional<NamespaceRecord>& names) {
  return !names || node < names->used;
}

std::string print(const std::vector<std::string>& names, const Fields& fields) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) text += names[i] + '=' + fields[i] + '\n';
  return text;
}

std::optional<Fields> parse(const std::vector<std::string>& names, std::string_view text) {
  if (text.size() > kLongestText) return std::nullopt;
  Fields fields;
  for (const std::string& name : names) {
    const std::size_t end = text.find('\n');
    const bool named = end != std::string_view::npos && end > name.size() && text.substr(0, name.size()) == name &&
                       text[name.size()] == '=';
    if (!named) return std::nullopt;
    fields.emplace_back(text.substr(name.size() + 1, end - name.size() - 1));
    text.remove_prefix(end + 1);
  }
  return text.empty() ? std::optional(fields) : std::nullopt;
}

std::string to_text(const Word& word) {
  return polyflake::to_text(word.high, "hex") + polyflake::to_text(word.low, "hex");
}

std::optional<Word> word_of(std::string_view text) {
  if (text.size() != 32) return std::nullopt;
  const auto high = hex_of(text.substr(0, 16)), low = hex_of(text.substr(16));
  return high && low ? std::optional(Word{*high, *low}) : std::nullopt;
}

}  // namespace polyflake::lease
