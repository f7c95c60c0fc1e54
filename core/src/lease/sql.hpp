// The common SQL of leases in PostgreSQL and MySQL: two tables, of namespaces and of nodes.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lease/sql_tables.hpp"

namespace polyflake::lease {

class SqlDialect : public Dialect {
 public:
  static constexpr const char* kNodes = "polyflake_nodes";

  // setting: an expression of how the store is set up. It is only read when the namespace is read
  // alone.
  SqlDialect(SqlTables tables, std::string setting)
      : tables_(std::move(tables)), setting_of_store_(std::move(setting)) {}

  Command begin(const Read& read) final;
  using Dialect::begin;
  std::variant<Command, Contents> read_replied(const Reply& reply) final;
  std::vector<Command> preparation() const final;

 protected:
  // Returns a select with a row for the namespace and each of these nodes, at least one. written:
  // an expression for its first column. setting: that of the store, or none.
  Sql look(const std::string& written, const std::string& echo, const std::vector<std::uint64_t>& nodes,
           const std::string& setting = "''") const;

  // If a row is not intact, a later one may be lost: then the namespace counts as not settled, or
  // the node as missing.
  struct Seen {
    bool written = false;
    Word echo;
    Contents contents;
    bool space_intact = false;
    std::string setting;
    // Returns the outcome that the rules demand of a cas that finds this.
    Outcome judge(const Cas& cas) const;
  };
  Seen seen(const Reply& reply, const std::vector<std::uint64_t>& nodes) const;

  // Errors: store_unavailable if leases cannot be kept in a store with this setup.
  virtual void check_setting() const {}

  // As SqlTables::insert(), of these records.
  Sql insert_space(const NamespaceRecord& space, const char* before_values, const Sql& after_values) const;
  Sql insert_node(std::uint64_t node, const NodeRecord& record, const char* before_values,
                  const Sql& after_values) const;
  Sql update_space(const NamespaceRecord& space) const;  // "UPDATE ... SET ... "
  Sql update_node(const NodeRecord& record) const;
  Sql set_node(const NodeRecord& record) const;  // "... = ..., ..."

  static std::vector<std::uint64_t> nodes_of(const Cas& cas);
  const SqlTables& tables() const { return tables_; }
  const std::string& name() const { return tables_.name(); }
  const std::string& setting() const { return setting_; }  // from the last read of the namespace
  std::string is_intact(const char* table) const { return tables_.words().is_intact(table); }
  std::string spaces_table() const { return tables_.qualified(SqlTables::kNamespaces); }
  std::string nodes_table() const { return tables_.qualified(kNodes); }

 private:
  const SqlTables tables_;
  const std::string setting_of_store_;
  std::vector<std::uint64_t> nodes_;  // those asked for
  bool has_tables_ = false;           // from the last read
  std::string setting_;               // the same
};

}  // namespace polyflake::lease
