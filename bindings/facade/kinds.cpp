#include "facade/kinds.hpp"

#include <polyflake/error.hpp>
#include <polyflake/kind_text.hpp>
#include <polyflake/uuid.hpp>

#include <cstring>

#include "kinds/kind.hpp"

namespace polyflake::facade {
namespace {

static_assert(kMostIdBytes == polyflake::kMostIdBytes && kMostIdText == polyflake::kMostIdText);

const Kind& spelled_kind(const std::string& name) {
  const Kind* const kind = find_kind(name);
  if (kind != nullptr && !kind->is_number()) return *kind;
  throw Error(ErrorCode::unknown_kind, "this library spells no ids of kind " + quoted(name));
}

const Kind& timed_kind(const std::string& name) {
  const Kind& kind = spelled_kind(name);
  if (kind.decode != nullptr) return kind;
  throw Error(ErrorCode::option_invalid, "ids of kind " + quoted(name) + " have no time");
}

// Text of another length is not valid.
const unsigned char* checked(const std::string& id, std::size_t bytes) {
  if (id.size() == bytes) return reinterpret_cast<const unsigned char*>(id.data());
  throw Error(ErrorCode::text_invalid,
              "an id of " + std::to_string(bytes) + " bytes is due, not of " + std::to_string(id.size()));
}

// Returns the bytes that write(bytes) writes.
template <class Write>
std::string bytes_of(std::size_t size, Write write) {
  std::string bytes(size, '\0');
  write(reinterpret_cast<unsigned char*>(bytes.data()));
  return bytes;
}

std::string bytes_of(const Uuid& uuid) { return {reinterpret_cast<const char*>(uuid.bytes.data()), sizeof uuid}; }

}  // namespace

KindText parse_kind(const std::string& text, const std::vector<std::string>& own) {
  const polyflake::KindText kind = polyflake::parse_kind(text, own);
  return {kind.name, kind.store.value_or(""), kind.store.has_value()};
}

std::vector<std::string> built_in_kinds() { return polyflake::built_in_kinds(); }

void check_new_kind(const std::string& name, const std::vector<std::string>& own) {
  polyflake::check_new_kind(name, own);
}

std::string parse_id(const std::string& kind, const std::string& text) {
  const IdForm& form = spelled_kind(kind).form;
  return bytes_of(form.bytes, [&](unsigned char* id) { form.parse(text, id); });
}

std::string id_text(const std::string& kind, const std::string& id) {
  const IdForm& form = spelled_kind(kind).form;
  std::string text(form.text_length, '\0');
  form.write(checked(id, form.bytes), text.data());
  return text;
}

IdParts decode_id(const std::string& kind, const std::string& layout, const std::string& id) {
  const Kind& timed = timed_kind(kind);
  const polyflake::IdParts parts = timed.decode(layout, checked(id, timed.form.bytes));
  return {parts.time_ms, parts.values};
}

std::string first_id(const std::string& kind, std::int64_t unix_ms) {
  const Kind& timed = timed_kind(kind);
  return bytes_of(timed.form.bytes, [&](unsigned char* id) { timed.first_id(unix_ms, id); });
}

std::string last_id(const std::string& kind, std::int64_t unix_ms) {
  const Kind& timed = timed_kind(kind);
  return bytes_of(timed.form.bytes, [&](unsigned char* id) { timed.last_id(unix_ms, id); });
}

std::string parse_uuid(const std::string& text) { return bytes_of(Uuid::parse(text)); }

std::string layout_to_uuid(const std::string& layout, std::uint64_t id) {
  return bytes_of(polyflake::Layout(layout).to_uuid(id));
}

std::uint64_t layout_from_uuid(const std::string& layout, const std::string& uuid) {
  return polyflake::Layout(layout).from_uuid(value_of<Uuid>(checked(uuid, sizeof(Uuid))));
}

FreeSource::FreeSource(const Options& options) : Source(options.kind()), source_(options.opened()) {}

std::int64_t FreeSource::claim_id(Claiming /*how*/, unsigned char* id) {
  source_->fill_bytes(id, 1);
  return 0;
}

IdRange FreeSource::claim_ids(unsigned char* ids, std::size_t n) {
  source_->fill_bytes(ids, n);
  return {0, 0, n, true};
}

GeneratorState FreeSource::state() const { return {closed() ? "closed" : "open", ""}; }

polyflake::Stats FreeSource::stats() const { return source_->stats(); }

}  // namespace polyflake::facade
