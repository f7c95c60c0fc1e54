#include "lease/sql.hpp"

#include "lease/reply.hpp"

namespace polyflake::lease {
namespace {

// Columns in the row of look().
constexpr std::size_t kWrittenColumn = 0, kEchoColumn = 1, kIncarnationColumn = 2, kStoreMsColumn = 3,
                      kSettingColumn = 4, kSpaceIntactColumn = 5, kSpaceColumn = 6;

std::string type_of(const FieldName& field) {
  if (!field.is_number()) return "varchar(" + std::to_string(field.longest) + ")";
  return field.type == FieldType::flag ? "smallint" : "bigint";
}

// ", format varchar(16) NOT NULL, uuid varchar(32) NOT NULL, ..."
std::string definitions(const FieldNames& fields) {
  std::string list;
  for (const FieldName& field : fields) {
    list.append(", ").append(field.name).append(" ").append(type_of(field)).append(" NOT NULL");
  }
  return list;
}

// ", n.format, n.uuid, CAST(n.floor_ms AS text), ..."
std::string columns(const std::string& alias, const FieldNames& fields, const std::string& text_type) {
  std::string list;
  for (const FieldName& field : fields) {
    list.append(field.is_number() ? ", CAST(" : ", ").append(alias).append(".").append(field.name);
    if (field.is_number()) list.append(" AS ").append(text_type).append(")");
  }
  return list;
}

// A number is part of the statement's text, so that its type need not be given.
Sql value(const FieldName& field, const std::string& value) {
  return field.is_number() ? Sql(value) : Sql("?", {value});
}

using Values = std::vector<std::pair<std::string, Sql>>;  // by column

Values values_of(const FieldNames& table, const Fields& fields,
                 const std::vector<std::pair<std::string, std::string>>& more) {
  Values values;
  for (std::size_t i = 0; i < table.size(); ++i) values.emplace_back(table[i].name, value(table[i], fields[i]));
  for (const auto& [name, expression] : more) values.emplace_back(name, expression);
  return values;
}

Sql insert(const Sql& table_and_key_columns, const Sql& key_values, const Values& values, const char* before_values,
           const Sql& after_values) {
  Sql sql = "INSERT INTO " + table_and_key_columns;
  Sql all = key_values;
  for (const auto& [name, expression] : values) {
    sql += ", " + name;
    all += ", " + expression;
  }
  return sql + ") " + before_values + all + after_values;
}

Sql set(const Values& values) {
  Sql sql = "";
  const char* separator = "";
  for (const auto& [name, expression] : values) {
    sql += separator + name + " = " + expression;
    separator = ", ";
  }
  return sql;
}

// A backslash may be special between plain quotes.
std::string literal(const std::string& argument) {
  std::string text = argument.find('\\') == std::string::npos ? "'" : "E'";
  for (const char c : argument) {
    text += c;
    if (c == '\'' || c == '\\') text += c;
  }
  return text + "'";
}

}  // namespace

Sql& Sql::operator+=(const Sql& more) {
  text_ += more.text_;
  arguments_.insert(arguments_.end(), more.arguments_.begin(), more.arguments_.end());
  return *this;
}

std::vector<std::string> Sql::part(Placeholder placeholder) const {
  std::vector<std::string> part{""};
  std::size_t n = 0;
  for (const char c : text_) {
    if (c != '?' || placeholder == Placeholder::question) {
      part.front() += c;
    } else {
      part.front() += placeholder == Placeholder::format ? "%s" : literal(arguments_.at(n++));
    }
  }
  if (placeholder != Placeholder::literal) part.insert(part.end(), arguments_.begin(), arguments_.end());
  return part;
}

Sql SqlDialect::look(const std::string& written, const std::string& echo, const std::vector<std::uint64_t>& nodes,
                     const std::string& setting) const {
  const std::string text = words_.text_type;
  std::string list = "-1";
  for (const std::uint64_t node : nodes) list += ", " + std::to_string(node);
  const auto intact = [this](const char* table) { return "CASE WHEN " + is_intact(table) + " THEN '1' ELSE '0' END"; };
  return Sql("SELECT CAST(" + written + " AS " + text + "), CAST(? AS " + text + "), " + words_.incarnation +
                 ", CAST(" + words_.store_ms + " AS " + text + "), " + setting + ", " + intact("n") +
                 columns("n", namespace_fields(), text) + ", CAST(d.node AS " + text + "), " + intact("d") +
                 columns("d", node_fields(), text) + " FROM (SELECT 1 AS one) AS one LEFT JOIN " + spaces_table() +
                 " n ON n.name = ? LEFT JOIN " + nodes_table() + " d ON d.name = n.name AND d.node IN (" + list + ")",
             {echo, name_});
}

SqlDialect::Seen SqlDialect::seen(const Reply& reply, const std::vector<std::uint64_t>& nodes) const {
  if (reply.empty()) misunderstood("there is no row");
  const Row& first = reply.front();
  const std::size_t node_at = kSpaceColumn + namespace_fields().size();
  Seen seen;
  seen.written = text_at(first, kWrittenColumn) != "0";
  seen.echo = word_of(text_at(first, kEchoColumn)).value_or(Word{});
  seen.contents.incarnation = text_at(first, kIncarnationColumn);
  seen.contents.store_ms = ms_at(first, kStoreMsColumn);
  auto& space = seen.contents.space = namespace_in(fields_at(first, kSpaceColumn, namespace_fields().size()));
  seen.setting = text_at(first, kSettingColumn);
  seen.space_intact = text_at(first, kSpaceIntactColumn) == "1";
  if (space && !seen.space_intact) space->settled = false;
  for (const std::uint64_t node : nodes) {
    auto& found = seen.contents.nodes.emplace_back();
    for (const Row& row : reply) {
      if (node_at >= row.size() || !row[node_at] || *row[node_at] != std::to_string(node)) continue;
      const bool intact = text_at(row, node_at + 1) == "1";
      if (intact || !may_be_handed_out(node, space)) found = node_in(fields_at(row, node_at + 2, node_fields().size()));
    }
  }
  return seen;
}

Outcome SqlDialect::Seen::judge(const Cas& cas) const {
  Tables tables;
  tables.space = contents.space;
  if (cas.node && contents.nodes.front()) tables.nodes[*cas.node] = *contents.nodes.front();
  return tables.step(cas, contents.incarnation, contents.store_ms);
}

Command SqlDialect::begin(const Read& read) {
  nodes_ = read.nodes;
  has_tables_ = false;
  return statements({look("0", "", nodes_, nodes_.empty() ? words_.setting : "''")});
}

std::variant<Command, Contents> SqlDialect::read_replied(const Reply& reply) {
  const Seen seen = this->seen(reply, nodes_);
  has_tables_ = true;
  if (nodes_.empty()) {
    setting_ = seen.setting;
    check_setting();
  }
  return seen.contents;
}

// Makes no tables that exist: a role that may write rows may not always make tables.
std::vector<Command> SqlDialect::preparation() const {
  if (has_tables_) return {};
  const std::string create = "CREATE TABLE IF NOT EXISTS ";
  return {
      statements({create + spaces_table() + " (" + more_columns() + "name varchar(64) NOT NULL PRIMARY KEY" +
                  definitions(namespace_fields()) + ")" + table_options()}),
      statements({create + nodes_table() + " (" + more_columns() + "name varchar(64) NOT NULL, node bigint NOT NULL" +
                  definitions(node_fields()) + ", PRIMARY KEY (name, node), FOREIGN KEY (name) REFERENCES " +
                  spaces_table() + " (name) ON DELETE RESTRICT)" + table_options()})};
}

Command SqlDialect::statements(const std::vector<Sql>& all) const {
  Command command{"statements", {}};
  for (const Sql& sql : all) command.parts.push_back(sql.part(placeholder_));
  return command;
}

Sql SqlDialect::insert_space(const NamespaceRecord& space, const char* before_values, const Sql& after_values) const {
  return insert(spaces_table() + " (name", Sql("?", {name_}),
                values_of(namespace_fields(), fields_of(space), more_values()), before_values, after_values);
}

Sql SqlDialect::insert_node(std::uint64_t node, const NodeRecord& record, const char* before_values,
                            const Sql& after_values) const {
  return insert(nodes_table() + " (name, node", Sql("?, " + std::to_string(node), {name_}),
                values_of(node_fields(), fields_of(record), more_values()), before_values, after_values);
}

Sql SqlDialect::update_space(const NamespaceRecord& space) const {
  return "UPDATE " + spaces_table() + " SET " + set(values_of(namespace_fields(), fields_of(space), more_values()));
}

Sql SqlDialect::update_node(const NodeRecord& record) const {
  return "UPDATE " + nodes_table() + " SET " + set_node(record);
}

Sql SqlDialect::set_node(const NodeRecord& record) const {
  return set(values_of(node_fields(), fields_of(record), more_values()));
}

std::vector<std::uint64_t> SqlDialect::nodes_of(const Cas& cas) {
  return cas.node ? std::vector<std::uint64_t>{*cas.node} : std::vector<std::uint64_t>{};
}

}  // namespace polyflake::lease
