// The record of a counter as people and other programs see it: named fields, in the same words in
// every store, as the records of leases. The head is one field, a line of "name=value;".
#pragma once

#include <polyflake/counter_store.hpp>

#include <optional>

#include "lease/record.hpp"

namespace polyflake::count {

using lease::FieldNames;
using lease::Fields;

FieldNames record_fields();  // "head", "next", "room", ...
// Returns true for those that each add changes: `next`, `room` and `nonce`.
bool is_counted(const lease::FieldName& field);

// Returns the values, in the same order.
Fields fields_of(const Record& record);
// Returns nothing if a field is missing, malformed or out of range.
std::optional<Record> record_of(const Fields& fields);

// The text of a head, and the head of a text; nothing if it is not exactly of that form.
std::string print(const Head& head);
std::optional<Head> head_of(std::string_view text);

}  // namespace polyflake::count
