// The records of a store as people and other programs see them: named fields, in the same words in every store.
//
//   Redis   a hash per record                       SQL   a column per field
//   ZooKeeper, etcd   a text of lines "name=value", which print() makes and parse() reads
//
// What comes from a store is untrusted: everything but the exact form is refused, and so is a format of another version.
#pragma once

#include <polyflake/store.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polyflake::lease {

// In the order of the table of their names.
using Fields = std::vector<std::string>;

std::vector<std::string> namespace_fields();  // "format", "uuid", "nonce", ...
std::vector<std::string> node_fields();

Fields fields_of(const NamespaceRecord& record);
Fields fields_of(const NodeRecord& record);

// Nothing where a field is missing, malformed or out of range.
std::optional<NamespaceRecord> namespace_of(const Fields& fields);
std::optional<NodeRecord> node_of(const Fields& fields);

// Returns false at `used` and above, where nothing was handed out: a record there may be lost, but none is missing, and
// `used` steps over it first.
bool may_be_handed_out(std::uint64_t node, const std::optional<NamespaceRecord>& names);

std::string print(const std::vector<std::string>& names, const Fields& fields);
std::optional<Fields> parse(const std::vector<std::string>& names, std::string_view text);

// 32 lower-case hex digits.
std::string to_text(const Word& word);
std::optional<Word> word_of(std::string_view text);

}  // namespace polyflake::lease
