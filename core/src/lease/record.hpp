// The records of a store as people and other programs see them: named fields, in the same words in
// every store.
//
//   Redis   a hash per record                       SQL   a column per field
//   ZooKeeper, etcd   a text of lines "name=value", which print() makes and parse() reads
//
// Input from a store is untrusted: anything but the exact form is refused, including other versions
// of the format.
#pragma once

#include <polyflake/store.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polyflake::lease {

enum class FieldType { format, word, fingerprint, ms, number, signed_number, flag, text };

// A field as every store sees it.
struct FieldName {
  std::string_view name;
  FieldType type;
  std::size_t longest;  // characters of its text; 0 for numbers

  bool is_number() const { return type >= FieldType::ms && type <= FieldType::flag; }
};

// The fields of a record, in the order of its table: each is listed once, in record.cpp.
using FieldNames = std::vector<FieldName>;
FieldNames namespace_fields();  // "format", "uuid", "nonce", ...
FieldNames node_fields();

// Their values, in the same order.
using Fields = std::vector<std::string>;

Fields fields_of(const NamespaceRecord& record);
Fields fields_of(const NodeRecord& record);

// Returns nothing if a field is missing, malformed or out of range.
std::optional<NamespaceRecord> namespace_of(const Fields& fields);
std::optional<NodeRecord> node_of(const Fields& fields);

// Returns false at `used` and above: nothing was handed out there. A record there may be lost
// without harm, since `used` is raised past it first.
bool may_be_handed_out(std::uint64_t node, const std::optional<NamespaceRecord>& space);

// Each field is `name=value` and ends with this character, which no value contains.
std::string print(const FieldNames& table, const Fields& fields, char end = '\n');
std::optional<Fields> parse(const FieldNames& table, std::string_view text, char end = '\n');

// Returns 32 lower-case hex digits.
std::string to_text(const Word& word);
std::optional<Word> word_of(std::string_view text);

}  // namespace polyflake::lease
