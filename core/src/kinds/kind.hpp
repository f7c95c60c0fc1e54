// Kind: what this library knows of one kind of ids, for code that gets its name. bits/kind_list.hpp
// lists them; kinds/<name>.cpp defines each.
#pragma once

#include <polyflake/detail/option_table.hpp>
#include <polyflake/detail/spelling.hpp>
#include <polyflake/id_source.hpp>
#include <polyflake/kind_options.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "bits/kind_list.hpp"

namespace polyflake {

struct Uuid;

// The largest of all kinds.
constexpr std::size_t kMostIdBytes = 16, kMostIdText = 36;

// Ids as bytes, big endian, and as texts of one length.
struct IdForm {
  std::size_t bytes;
  std::size_t text_length;
  bool is_uuid;  // some languages have a type for UUIDs
  // Writes text_length characters without an end mark.
  void (*write)(const unsigned char* id, char* text);
  // Errors: text_invalid.
  void (*parse)(std::string_view text, unsigned char* id);
};

// Ids that are positions: 8 bytes in the byte order of this machine, whose text is decimal.
constexpr IdForm kNumbers{sizeof(std::uint64_t), 0, false, nullptr, nullptr};

// Returns the value whose bytes these are.
template <class Value>
Value value_of(const unsigned char* id) {
  Value value;
  std::memcpy(value.bytes.data(), id, sizeof value);
  return value;
}

// Value: a struct of `bytes` alone with kTextLength, write() and parse(), as Uuid is.
template <class Value>
constexpr IdForm form_of() {
  static_assert(sizeof(Value) <= kMostIdBytes && Value::kTextLength <= kMostIdText, "raise what is the largest");
  return {sizeof(Value), Value::kTextLength, std::is_same_v<Value, Uuid>,
          [](const unsigned char* id, char* text) { value_of<Value>(id).write(text); },
          [](std::string_view text, unsigned char* id) {
            const Value value = Value::parse(text);
            std::memcpy(id, value.bytes.data(), sizeof value);
          }};
}

// The parts of an id: its instant, then the others in the order in which its kind documents them.
struct IdParts {
  std::int64_t time_ms;  // Unix ms
  std::vector<std::uint64_t> values;
};

struct Kind {
  const char* name;
  IdForm form;

  // Takes the options of the kind, refuses any left over, and opens a source. Blocks and errors: as
  // the source.
  std::unique_ptr<IdSource> (*open)(KindOptions& options);

  // The same for the spelling of a source that makes ids of positions. Null for other kinds.
  std::unique_ptr<Spelling> (*spelling)(KindOptions& options) = nullptr;

  // Null for ids without a time. layout: of the worker of the source; "" without a worker.
  IdParts (*decode)(std::string_view layout, const unsigned char* id) = nullptr;
  // Write the smallest and the largest id of a time. Errors: field_out_of_range.
  void (*first_id)(std::int64_t unix_ms, unsigned char* id) = nullptr;
  void (*last_id)(std::int64_t unix_ms, unsigned char* id) = nullptr;

  bool is_counted = false;  // numbers that a store counts
  bool is_number() const { return form.text_length == 0; }
  // Returns true if ids are positions of a Generator, or spelled from them.
  bool has_positions() const { return (is_number() && !is_counted) || spelling != nullptr; }
};

// Returns a kind whose ids are numbers of a store. refuse: its open(), since a store is an object.
constexpr Kind kind_of_store(const char* name, std::unique_ptr<IdSource> (*refuse)(KindOptions&)) {
  Kind kind{name, kNumbers, refuse};
  kind.is_counted = true;
  return kind;
}

namespace kind {
#define POLYFLAKE_DECLARE(name) extern const Kind name;
POLYFLAKE_KINDS(POLYFLAKE_DECLARE)
#undef POLYFLAKE_DECLARE
}  // namespace kind

// Returns the kind of this name; null if this library has none.
const Kind* find_kind(std::string_view name);

// Writes the bytes of bound(unix_ms).
template <auto bound>
void write_bound(std::int64_t unix_ms, unsigned char* id) {
  const auto value = bound(unix_ms);
  std::memcpy(id, value.bytes.data(), sizeof value);
}

// Takes the options that are whole numbers; of_time: only those that sources of other kinds have,
// too.
void take_numbers(KindOptions& options, Options& typed, bool of_time);

// Takes the options of time, for a kind whose options are not those of a snowflake.
template <class Typed>
void take_time_options(KindOptions& options, Typed& typed) {
  Options taken;
  take_numbers(options, taken, true);
  taken.clock = options.take_clock("clock");
  copy_time_options(typed, taken);
}

}  // namespace polyflake
