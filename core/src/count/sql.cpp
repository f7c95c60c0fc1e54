#include "count/sql.hpp"

#include <utility>

#include "count/record.hpp"
#include "lease/reply.hpp"

namespace polyflake::count {
namespace {

using lease::Sql;
using lease::SqlTables;
using lease::text_at;

// Columns in the row of look().
constexpr std::size_t kSpaceColumn = lease::kFirstColumns;

}  // namespace

Sql SqlDialect::look(const std::string& written, const Word& echo, const std::string& more, const std::string& from,
                     const std::string& setting) const {
  return "SELECT " + tables_.first_columns(written, lease::to_text(echo), setting) +
         Sql(tables_.columns("n", lease::namespace_fields()) + tables_.columns("c", record_fields()) + more +
                 " FROM (SELECT 1 AS one) AS one LEFT JOIN " + tables_.qualified(SqlTables::kNamespaces) +
                 " n ON n.name = ? LEFT JOIN " + table() + " c ON c.name = n.name AND c.counter = ?" + from,
             {tables_.name(), counter_});
}

Contents SqlDialect::namespace_seen_in(const Reply& reply) {
  if (reply.size() != 1) lease::misunderstood("it has another number of rows");
  const lease::Row& row = reply.front();
  Contents contents;
  contents.incarnation = text_at(row, lease::kIncarnationColumn);
  contents.store_ms = lease::ms_at(row, lease::kStoreMsColumn);
  contents.space = lease::namespace_in(lease::fields_at(row, kSpaceColumn + 1, lease::namespace_fields().size()));
  return contents;
}

SqlDialect::Seen SqlDialect::seen_in(const Reply& reply) {
  Seen seen;
  seen.contents = namespace_seen_in(reply);
  const lease::Row& row = reply.front();
  const std::size_t record_at = kSpaceColumn + 1 + lease::namespace_fields().size();
  const std::size_t more_at = record_at + 1 + record_fields().size();
  seen.written = text_at(row, lease::kWrittenColumn) != "0";
  seen.echo = lease::word_of(text_at(row, lease::kEchoColumn)).value_or(Word{});
  seen.setting = text_at(row, lease::kSettingColumn);
  seen.contents.record = record_in(lease::fields_at(row, record_at + 1, record_fields().size()));
  seen.contents.put_back = seen.contents.record && text_at(row, record_at) != "1";
  if (row.size() < more_at) lease::misunderstood("a column is missing");
  seen.more.assign(row.begin() + static_cast<std::ptrdiff_t>(more_at), row.end());
  return seen;
}

Answer SqlDialect::refusal_of(const Write& write, const Seen& seen) {
  std::optional<Record> record = seen.contents.record;
  Answer answer = step(record, write, {seen.contents.space, seen.contents.incarnation, seen.contents.store_ms});
  // The row satisfied the rules when the statement began: it was put back, or another client was
  // first.
  if (answer.outcome == Outcome::ok) {
    answer.outcome = seen.contents.put_back ? Outcome::incarnation : Outcome::conflict;
  }
  answer.echo = seen.echo;
  return answer;
}

Command SqlDialect::begin_read() {
  has_table_ = true;
  const std::string version = version_column();
  return tables_.statements({look("0", {}, version.empty() ? "" : ", " + version, "", setting_)});
}

std::optional<Command> SqlDialect::begin_read_without_table() {
  if (!std::exchange(has_table_, false)) return std::nullopt;
  return tables_.statements(
      {"SELECT " + tables_.first_columns("0", lease::to_text(Word{}), "''") +
       Sql(tables_.columns("n", lease::namespace_fields()) + " FROM (SELECT 1 AS one) AS one LEFT JOIN " +
               tables_.qualified(SqlTables::kNamespaces) + " n ON n.name = ?",
           {tables_.name()})});
}

std::variant<Command, Contents> SqlDialect::read_replied(const Reply& reply) {
  if (!has_table_) return namespace_seen_in(reply);
  Seen seen = seen_in(reply);
  seen.contents.misconfigured = misconfigured(seen.setting);
  version_ = seen.more.empty() ? "" : seen.more.front().value_or("");
  return seen.contents;
}

Command SqlDialect::begin_names() {
  has_space_ = false;
  return tables_.statements(
      {Sql("SELECT name FROM " + tables_.qualified(SqlTables::kNamespaces) + " WHERE name = ?", {tables_.name()})});
}

std::variant<Command, Names> SqlDialect::names_replied(const Reply& reply) {
  if (!has_space_) {
    if (reply.empty()) return Names{};
    if (text_at(reply.front(), 0) != tables_.name()) lease::misunderstood("it has another namespace");
    has_space_ = true;
    return tables_.statements({Sql("SELECT counter FROM " + table() + " WHERE name = ?", {tables_.name()})});
  }
  std::vector<std::string> names;
  for (const lease::Row& row : reply) names.push_back(text_at(row, 0));
  return Names(std::move(names));
}

// The first counter makes the table.
Names SqlDialect::names_without_table() const { return has_space_ ? Names(std::vector<std::string>{}) : std::nullopt; }

std::vector<Command> SqlDialect::preparation() const {
  return {tables_.statements(
      {tables_.create(kCounters, "name varchar(64) NOT NULL, counter varchar(64) NOT NULL", record_fields(),
                      ", PRIMARY KEY (name, counter), FOREIGN KEY (name) REFERENCES " +
                          tables_.qualified(SqlTables::kNamespaces) + " (name) ON DELETE RESTRICT")})};
}

Sql SqlDialect::where() const { return {" WHERE name = ? AND counter = ?", {tables_.name(), counter_}}; }

Sql SqlDialect::namespace_of(const Request& request) const {
  return Sql("SELECT 1 FROM " + tables_.qualified(SqlTables::kNamespaces) + " n WHERE n.name = ? AND n.uuid = ?",
             {tables_.name(), lease::to_text(request.uuid)});
}

Sql SqlDialect::insert(const Record& record, const char* before_values, const Sql& after_values) const {
  return tables_.insert(kCounters, {{"name", Sql("?", {tables_.name()})}, {"counter", Sql("?", {counter_})}},
                        values_of(record), before_values, after_values);
}

lease::SqlValues SqlDialect::values_of(const Record& record) const {
  return tables_.values_of(record_fields(), fields_of(record));
}

lease::SqlValues SqlDialect::values_of(const WriteHead& head) const {
  if (head.sets_next) return values_of(head.record);
  FieldNames names;
  lease::Fields values;
  const FieldNames all = record_fields();
  const lease::Fields all_values = fields_of(head.record);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (is_counted(all[i])) continue;
    names.push_back(all[i]);
    values.push_back(all_values[i]);
  }
  lease::SqlValues changed = tables_.values_of(names, values);
  changed.emplace_back("room", "room + " + std::to_string(head.room_change));
  return changed;
}

}  // namespace polyflake::count
