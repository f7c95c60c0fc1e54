#include "lease/record.hpp"

#include <polyflake/text.hpp>

#include <algorithm>
#include <type_traits>
#include <variant>

#include "base/ascii.hpp"

namespace polyflake::lease {
namespace {

constexpr const char* kFormat = "polyflake 1";
constexpr std::size_t kLongestText = 2048;

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

// A row of the table of a record's fields.
template <class Record>
struct RecordField {
  FieldName name;
  // The member that keeps the value; the format has none.
  std::variant<std::monostate, Word Record::*, std::uint64_t Record::*, std::int64_t Record::*, bool Record::*,
               std::string Record::*>
      member;
};

// The two tables. A field that is added here is read, written and made a column by every store.
constexpr RecordField<NamespaceRecord> kNamespaceFields[] = {
    {{"format", FieldType::format, 16}, {}},
    {{"uuid", FieldType::word, 32}, &NamespaceRecord::uuid},
    {{"nonce", FieldType::word, 32}, &NamespaceRecord::nonce},
    {{"term", FieldType::word, 32}, &NamespaceRecord::term},
    {{"layout", FieldType::fingerprint, 16}, &NamespaceRecord::layout},
    {{"window_ms", FieldType::ms, 0}, &NamespaceRecord::window_ms},
    {{"tolerance_ms", FieldType::ms, 0}, &NamespaceRecord::tolerance_ms},
    {{"settled", FieldType::flag, 0}, &NamespaceRecord::settled},
    {{"incarnation", FieldType::text, 128}, &NamespaceRecord::incarnation},
    {{"floor_ms", FieldType::ms, 0}, &NamespaceRecord::floor_ms},
    {{"used", FieldType::number, 0}, &NamespaceRecord::used},
};
constexpr RecordField<NodeRecord> kNodeFields[] = {
    {{"format", FieldType::format, 16}, {}},
    {{"nonce", FieldType::word, 32}, &NodeRecord::nonce},
    {{"owner", FieldType::word, 32}, &NodeRecord::owner},
    {{"layout", FieldType::fingerprint, 16}, &NodeRecord::layout},
    {{"until_ms", FieldType::ms, 0}, &NodeRecord::until_ms},
    {{"label", FieldType::text, 128}, &NodeRecord::label},
};

std::string printed(const FieldName&, const Word& word) { return to_text(word); }
std::string printed(const FieldName&, std::int64_t ms) { return std::to_string(ms); }
std::string printed(const FieldName&, bool flag) { return flag ? "1" : "0"; }
std::string printed(const FieldName&, const std::string& text) { return text; }
std::string printed(const FieldName& field, std::uint64_t number) {
  return field.type == FieldType::fingerprint ? polyflake::to_text(number, "hex") : std::to_string(number);
}

// Each returns whether the text has the exact form of such a value, and then sets it.
template <class Value>
bool set(Value& value, const std::optional<Value>& read) {
  if (read) value = *read;
  return read.has_value();
}
bool read(const FieldName&, const std::string& text, Word& word) { return set(word, word_of(text)); }
bool read(const FieldName& field, const std::string& text, std::uint64_t& number) {
  if (field.type == FieldType::fingerprint) return set(number, hex_of(text));
  return set(number, ascii::decimal(text)) && number <= INT64_MAX;
}
bool read(const FieldName& field, const std::string& text, std::int64_t& ms) {
  std::uint64_t number = 0;
  const bool sound = read(field, text, number);
  ms = static_cast<std::int64_t>(number);
  return sound;
}
bool read(const FieldName&, const std::string& text, bool& flag) {
  flag = text == "1";
  return flag || text == "0";
}
bool read(const FieldName& field, const std::string& text, std::string& value) {
  value = text;
  return text.size() <= field.longest &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

template <class Record, std::size_t n>
FieldNames names_of(const RecordField<Record> (&table)[n]) {
  FieldNames names;
  for (const RecordField<Record>& field : table) names.push_back(field.name);
  return names;
}

template <class Record, std::size_t n>
Fields printed(const RecordField<Record> (&table)[n], const Record& record) {
  Fields fields;
  for (const auto& [name, member] : table) {
    fields.push_back(std::visit(
        [&, field = &name](auto at) -> std::string {
          if constexpr (std::is_same_v<decltype(at), std::monostate>) return kFormat;
          else return printed(*field, record.*at);
        },
        member));
  }
  return fields;
}

template <class Record, std::size_t n>
std::optional<Record> read(const RecordField<Record> (&table)[n], const Fields& fields) {
  if (fields.size() != n) return std::nullopt;
  Record record;
  for (std::size_t i = 0; i < n; ++i) {
    const bool sound = std::visit(
        [&](auto at) {
          if constexpr (std::is_same_v<decltype(at), std::monostate>) return fields[i] == kFormat;
          else return read(table[i].name, fields[i], record.*at);
        },
        table[i].member);
    if (!sound) return std::nullopt;
  }
  return record;
}

}  // namespace

FieldNames namespace_fields() { return names_of(kNamespaceFields); }
FieldNames node_fields() { return names_of(kNodeFields); }

Fields fields_of(const NamespaceRecord& record) { return printed(kNamespaceFields, record); }
Fields fields_of(const NodeRecord& record) { return printed(kNodeFields, record); }

std::optional<NamespaceRecord> namespace_of(const Fields& fields) {
  const std::optional<NamespaceRecord> record = read(kNamespaceFields, fields);
  const bool sound = record && record->window_ms > 0 && record->tolerance_ms < record->window_ms;
  return sound ? record : std::nullopt;
}

std::optional<NodeRecord> node_of(const Fields& fields) { return read(kNodeFields, fields); }

bool may_be_handed_out(std::uint64_t node, const std::optional<NamespaceRecord>& space) {
  return !space || node < space->used;
}

std::string print(const FieldNames& table, const Fields& fields) {
  std::string text;
  for (std::size_t i = 0; i < table.size(); ++i) text.append(table[i].name).append("=").append(fields[i]).append("\n");
  return text;
}

std::optional<Fields> parse(const FieldNames& table, std::string_view text) {
  if (text.size() > kLongestText) return std::nullopt;
  Fields fields;
  for (const auto& [name, type, longest] : table) {
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
