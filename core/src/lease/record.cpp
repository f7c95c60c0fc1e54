#include "lease/record.hpp"

#include <polyflake/text.hpp>

#include "lease/record_table.hpp"

namespace polyflake::lease {
namespace {

constexpr std::size_t kLongestText = 2048;

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

std::string print(const FieldNames& table, const Fields& fields, char end) {
  std::string text;
  for (std::size_t i = 0; i < table.size(); ++i) {
    text.append(table[i].name).append("=").append(fields[i]).push_back(end);
  }
  return text;
}

std::optional<Fields> parse(const FieldNames& table, std::string_view text, char end_of_field) {
  if (text.size() > kLongestText) return std::nullopt;
  Fields fields;
  for (const auto& [name, type, longest] : table) {
    const std::size_t end = text.find(end_of_field);
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
