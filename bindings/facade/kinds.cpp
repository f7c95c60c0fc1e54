#include "facade/kinds.hpp"

#include <polyflake/error.hpp>
#include <polyflake/kind_text.hpp>
#include <polyflake/object_id.hpp>
#include <polyflake/uuid.hpp>
#include <polyflake/uuid7.hpp>

#include <cstring>

#include "facade/statistics.hpp"

namespace polyflake::facade {
namespace {

template <class Value>
Value value_of(const void* bytes) {
  Value value;
  std::memcpy(value.bytes.data(), bytes, sizeof value);
  return value;
}

// Whatever has another length is none.
template <class Value>
Value value_of(const std::string& bytes) {
  if (bytes.size() == sizeof(Value)) return value_of<Value>(bytes.data());
  throw Error(ErrorCode::text_invalid,
              "an id of " + std::to_string(sizeof(Value)) + " bytes is due, not of " + std::to_string(bytes.size()));
}

template <class Value>
std::string bytes_of(const Value& value) {
  return {reinterpret_cast<const char*>(value.bytes.data()), sizeof value};
}

polyflake::Layout layout_of(const std::string& text) {
  return polyflake::Layout(text.empty() ? kUuid7Layout : text.c_str());
}

}  // namespace

KindText parse_kind(const std::string& text, const std::vector<std::string>& own) {
  const polyflake::KindText kind = polyflake::parse_kind(text, own);
  return {kind.name, kind.store.value_or(""), kind.store.has_value()};
}

std::vector<std::string> built_in_kinds() { return polyflake::built_in_kinds(); }

void check_new_kind(const std::string& name, const std::vector<std::string>& own) {
  polyflake::check_new_kind(name, own);
}

void write_uuid(const unsigned char* uuid, char* text) { value_of<Uuid>(uuid).write(text); }

void write_object_id(const unsigned char* object_id, char* text) { value_of<ObjectId>(object_id).write(text); }

std::string parse_uuid(const std::string& text) { return bytes_of(Uuid::parse(text)); }

std::string parse_object_id(const std::string& text) { return bytes_of(ObjectId::parse(text)); }

Uuid7Parts decode_uuid7(const std::string& layout, const std::string& uuid) {
  const polyflake::Uuid7Parts parts = Uuid7Bits(layout_of(layout)).decode(value_of<Uuid>(uuid));
  return {parts.time_ms, parts.tick, parts.sequence, parts.node, parts.tail};
}

ObjectIdParts decode_object_id(const std::string& object_id) {
  const polyflake::ObjectIdParts parts = value_of<ObjectId>(object_id).decode();
  return {parts.time_ms, parts.process, parts.counter};
}

std::string first_uuid7(std::int64_t unix_ms) { return bytes_of(Uuid7Bits::first_id(unix_ms)); }
std::string last_uuid7(std::int64_t unix_ms) { return bytes_of(Uuid7Bits::last_id(unix_ms)); }
std::string first_object_id(std::int64_t unix_ms) { return bytes_of(ObjectId::first_id(unix_ms)); }
std::string last_object_id(std::int64_t unix_ms) { return bytes_of(ObjectId::last_id(unix_ms)); }

std::string layout_to_uuid(const std::string& layout, std::uint64_t id) {
  return bytes_of(polyflake::Layout(layout).to_uuid(id));
}

std::uint64_t layout_from_uuid(const std::string& layout, const std::string& uuid) {
  return polyflake::Layout(layout).from_uuid(value_of<Uuid>(uuid));
}

RandomUuids::RandomUuids(const Options& options) : source_({options.options_.clock, options.entropy_}) {}

std::vector<Statistic> RandomUuids::stats() const { return all_of(source_.stats()); }

}  // namespace polyflake::facade
