// Kinds of ids beside the snowflake: their texts, and what their ids say. Ids of 16 and 12 bytes are such bytes here.
//
// Sources of uuid7 and objectid are a Generator with Options::set_kind().
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <polyflake/uuid4.hpp>

#include "facade/generator.hpp"
#include "facade/options.hpp"

namespace polyflake::facade {

constexpr std::size_t kUuidBytes = 16, kUuidText = 36, kObjectIdBytes = 12, kObjectIdText = 24;

// "name" or "name:store". Errors: text_invalid, unknown_kind, option_invalid.
struct KindText {
  std::string name;
  std::string store;
  bool has_store;
};
KindText parse_kind(const std::string& text, const std::vector<std::string>& own);
std::vector<std::string> built_in_kinds();
// Errors: text_invalid, option_invalid.
void check_new_kind(const std::string& name, const std::vector<std::string>& own);

// Writes kUuidText, or kObjectIdText, characters without an end mark.
void write_uuid(const unsigned char* uuid, char* text);
void write_object_id(const unsigned char* object_id, char* text);

// The bytes of a text. Errors: text_invalid.
std::string parse_uuid(const std::string& text);
std::string parse_object_id(const std::string& text);

// layout: of the worker of the source; "" for a source without one.
// Errors: layout_invalid, and those of Uuid7Bits::decode().
struct Uuid7Parts {
  std::int64_t time_ms;
  std::uint64_t tick;
  std::uint32_t sequence;
  std::uint64_t node;
  std::uint64_t tail;
};
Uuid7Parts decode_uuid7(const std::string& layout, const std::string& uuid);

struct ObjectIdParts {
  std::int64_t time_ms;
  std::uint64_t process;
  std::uint32_t counter;
};
ObjectIdParts decode_object_id(const std::string& object_id);

// The bytes of the least and the greatest id of a time. Errors: field_out_of_range.
std::string first_uuid7(std::int64_t unix_ms);
std::string last_uuid7(std::int64_t unix_ms);
std::string first_object_id(std::int64_t unix_ms);
std::string last_object_id(std::int64_t unix_ms);

// A 64-bit id of a layout as the bytes of a UUID of version 7, and back.
// Errors: layout_invalid, id_out_of_range, field_out_of_range.
std::string layout_to_uuid(const std::string& layout, std::uint64_t id);
std::uint64_t layout_from_uuid(const std::string& layout, const std::string& uuid);

// uuid4, which has no positions. Thread safe.
class RandomUuids {
 public:
  // Of options the clock and the entropy. Errors: option_invalid.
  explicit RandomUuids(const Options& options);

  // Writes n UUIDs. Never waits. Errors: generator_closed, registry_unusable.
  void fill(unsigned char* uuids, std::size_t n) { source_.fill_bytes(uuids, n); }
  void close() noexcept { source_.close(); }
  bool closed() const noexcept { return source_.closed(); }
  std::vector<Statistic> stats() const;

 private:
  polyflake::Uuid4 source_;
};

}  // namespace polyflake::facade
