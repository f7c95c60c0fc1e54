#include "lease/sql.hpp"

#include "lease/reply.hpp"

namespace polyflake::lease {
namespace {

// Columns in the row of look().
constexpr std::size_t kSpaceIntactColumn = kFirstColumns, kSpaceColumn = kFirstColumns + 1;

}  // namespace

Sql SqlDialect::look(const std::string& written, const std::string& echo, const std::vector<std::uint64_t>& nodes,
                     const std::string& setting) const {
  std::string list = "-1";
  for (const std::uint64_t node : nodes) list += ", " + std::to_string(node);
  return "SELECT " + tables_.first_columns(written, echo, setting) +
         Sql(tables_.columns("n", namespace_fields()) + ", CAST(d.node AS " + tables_.words().text_type + ")" +
                 tables_.columns("d", node_fields()) + " FROM (SELECT 1 AS one) AS one LEFT JOIN " + spaces_table() +
                 " n ON n.name = ? LEFT JOIN " + nodes_table() + " d ON d.name = n.name AND d.node IN (" + list + ")",
             {name()});
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
  return tables_.statements({look("0", "", nodes_, nodes_.empty() ? setting_of_store_ : "''")});
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

std::vector<Command> SqlDialect::preparation() const {
  if (has_tables_) return {};
  return {tables_.statements({tables_.create(SqlTables::kNamespaces, "name varchar(64) NOT NULL PRIMARY KEY",
                                             namespace_fields(), "")}),
          tables_.statements({tables_.create(kNodes, "name varchar(64) NOT NULL, node bigint NOT NULL", node_fields(),
                                             ", PRIMARY KEY (name, node), FOREIGN KEY (name) REFERENCES " +
                                                 spaces_table() + " (name) ON DELETE RESTRICT")})};
}

Sql SqlDialect::insert_space(const NamespaceRecord& space, const char* before_values, const Sql& after_values) const {
  return tables_.insert(SqlTables::kNamespaces, {{"name", Sql("?", {name()})}},
                        tables_.values_of(namespace_fields(), fields_of(space)), before_values, after_values);
}

Sql SqlDialect::insert_node(std::uint64_t node, const NodeRecord& record, const char* before_values,
                            const Sql& after_values) const {
  return tables_.insert(kNodes, {{"name", Sql("?", {name()})}, {"node", std::to_string(node)}},
                        tables_.values_of(node_fields(), fields_of(record)), before_values, after_values);
}

Sql SqlDialect::update_space(const NamespaceRecord& space) const {
  return "UPDATE " + spaces_table() + " SET " + SqlTables::set(tables_.values_of(namespace_fields(), fields_of(space)));
}

Sql SqlDialect::update_node(const NodeRecord& record) const {
  return "UPDATE " + nodes_table() + " SET " + set_node(record);
}

Sql SqlDialect::set_node(const NodeRecord& record) const {
  return SqlTables::set(tables_.values_of(node_fields(), fields_of(record)));
}

std::vector<std::uint64_t> SqlDialect::nodes_of(const Cas& cas) {
  return cas.node ? std::vector<std::uint64_t>{*cas.node} : std::vector<std::uint64_t>{};
}

}  // namespace polyflake::lease
