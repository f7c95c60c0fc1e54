#include "lease/reply.hpp"

#include <polyflake/error.hpp>
#include <polyflake/text.hpp>

#include "base/ascii.hpp"

namespace polyflake::lease {

void misunderstood(const std::string& what) {
  throw Error(ErrorCode::store_unavailable, "the store's reply is not understood: " + what);
}

const std::string& text_at(const Row& row, std::size_t i) {
  if (i >= row.size() || !row[i]) misunderstood("field " + std::to_string(i) + " is missing");
  return *row[i];
}

std::int64_t ms_at(const Row& row, std::size_t i) {
  const std::string& text = text_at(row, i);
  const auto ms = ascii::decimal(text);
  if (!ms || *ms > INT64_MAX) misunderstood(quoted(text) + " is no time");
  return static_cast<std::int64_t>(*ms);
}

std::optional<Fields> fields_at(const Row& row, std::size_t from, std::size_t n) {
  if (from >= row.size() || !row[from] || row[from]->empty()) return std::nullopt;
  Fields fields;
  for (std::size_t i = from; i < from + n; ++i) fields.push_back(text_at(row, i));
  return fields;
}

std::optional<NamespaceRecord> namespace_in(const std::optional<Fields>& fields) {
  if (!fields) return std::nullopt;
  auto record = namespace_of(*fields);
  if (!record) misunderstood("the record of the namespace is damaged, or of another version of this library");
  return record;
}

std::optional<NodeRecord> node_in(const std::optional<Fields>& fields) {
  if (!fields) return std::nullopt;
  if (auto record = node_of(*fields)) return record;
  NodeRecord strange;
  strange.until_ms = INT64_MAX;
  return strange;
}

}  // namespace polyflake::lease
