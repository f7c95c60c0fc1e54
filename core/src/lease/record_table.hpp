// Tables of the fields of records: their rows, and how values become texts and are read again.
#pragma once

#include <polyflake/text.hpp>

#include <algorithm>
#include <type_traits>
#include <variant>

#include "base/ascii.hpp"
#include "lease/record.hpp"

namespace polyflake::lease {

inline constexpr const char* kFormat = "polyflake 1";

inline std::optional<std::uint64_t> hex_of(std::string_view text) {
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

// A row of the table of a record's fields. Parts: types of members that have printed() and read()
// of their own.
template <class Record, class... Parts>
struct RecordField {
  FieldName name;
  // The member that keeps the value; the format has none.
  std::variant<std::monostate, Word Record::*, std::uint64_t Record::*, std::int64_t Record::*, bool Record::*,
               std::string Record::*, Parts Record::*...>
      member;
};

inline std::string printed(const FieldName&, const Word& word) { return to_text(word); }
inline std::string printed(const FieldName&, std::int64_t ms) { return std::to_string(ms); }
inline std::string printed(const FieldName&, bool flag) { return flag ? "1" : "0"; }
inline std::string printed(const FieldName&, const std::string& text) { return text; }
inline std::string printed(const FieldName& field, std::uint64_t number) {
  return field.type == FieldType::fingerprint ? polyflake::to_text(number, "hex") : std::to_string(number);
}

// Each returns whether the text has the exact form of such a value, and then sets it.
template <class Value>
bool set(Value& value, const std::optional<Value>& read) {
  if (read) value = *read;
  return read.has_value();
}
inline bool read(const FieldName&, const std::string& text, Word& word) { return set(word, word_of(text)); }
inline bool read(const FieldName& field, const std::string& text, std::uint64_t& number) {
  if (field.type == FieldType::fingerprint) return set(number, hex_of(text));
  return set(number, ascii::decimal(text)) && number <= INT64_MAX;
}
inline bool read(const FieldName& field, const std::string& text, std::int64_t& value) {
  const bool negative = field.type == FieldType::signed_number && text.rfind('-', 0) == 0;
  std::uint64_t number = 0;
  const bool sound = read(field, text.substr(negative ? 1 : 0), number) && !(negative && number == 0);
  value = static_cast<std::int64_t>(number) * (negative ? -1 : 1);
  return sound;
}
inline bool read(const FieldName&, const std::string& text, bool& flag) {
  flag = text == "1";
  return flag || text == "0";
}
inline bool read(const FieldName& field, const std::string& text, std::string& value) {
  value = text;
  return text.size() <= field.longest &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

template <class Record, class... Parts, std::size_t n>
FieldNames names_of(const RecordField<Record, Parts...> (&table)[n]) {
  FieldNames names;
  for (const auto& field : table) names.push_back(field.name);
  return names;
}

template <class Record, class... Parts, std::size_t n>
Fields printed(const RecordField<Record, Parts...> (&table)[n], const Record& record) {
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

template <class Record, class... Parts, std::size_t n>
std::optional<Record> read(const RecordField<Record, Parts...> (&table)[n], const Fields& fields) {
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

}  // namespace polyflake::lease
