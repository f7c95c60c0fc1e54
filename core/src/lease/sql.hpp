// The common SQL of PostgreSQL and MySQL: two tables, a row per record and a column per field.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lease/dialect.hpp"

namespace polyflake::lease {

// A statement with its arguments, one for each '?', in order.
class Sql {
 public:
  Sql(std::string text, std::vector<std::string> arguments = {})  // NOLINT: text is a statement
      : text_(std::move(text)), arguments_(std::move(arguments)) {}
  Sql(const char* text) : text_(text) {}  // NOLINT

  Sql& operator+=(const Sql& more);
  friend Sql operator+(Sql a, const Sql& b) { return std::move(a += b); }

  // Returns it as a part of a command: the text with the client's placeholders, then the arguments.
  std::vector<std::string> part(Placeholder placeholder) const;

 private:
  std::string text_;
  std::vector<std::string> arguments_;
};

// Words that differ between kinds of database.
struct SqlWords {
  const char* text_type;    // the type to which a column is cast to read it as text
  const char* incarnation;  // an expression, as is store_ms
  const char* store_ms;
  // An expression of how the store is set up. It is only read when the namespace is read alone.
  std::string setting;
};

class SqlDialect : public Dialect {
 public:
  static constexpr const char* kNamespaces = "polyflake_namespaces";
  static constexpr const char* kNodes = "polyflake_nodes";

  // quoted_schema: with its quotes, as written before the name of a table; "" for the connection's
  // schema.
  SqlDialect(SqlWords words, std::string name, std::string quoted_schema, Placeholder placeholder)
      : words_(std::move(words)),
        name_(std::move(name)),
        schema_(std::move(quoted_schema)),
        placeholder_(placeholder) {}

  Command begin(const Read& read) final;
  using Dialect::begin;
  std::variant<Command, Contents> read_replied(const Reply& reply) final;
  std::vector<Command> preparation() const final;

 protected:
  // Returns a select with a row for the namespace and each of these nodes, at least one. written:
  // an expression for its first column. setting: the one of that name in the words, or none.
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

  Command statements(const std::vector<Sql>& all) const;

  // Returns a condition: the row of this table is as a lease wrote it, and was not put back or
  // edited since.
  virtual std::string is_intact(const std::string&) const { return "1 = 1"; }
  // Columns that tables have beside those of records, for example "tx bigint NOT NULL, " in
  // PostgreSQL, and the values written there.
  virtual std::string more_columns() const { return ""; }
  virtual std::vector<std::pair<std::string, std::string>> more_values() const { return {}; }
  // Returns the text after the columns of a new table.
  virtual std::string table_options() const { return ""; }
  // Errors: store_unavailable if leases cannot be kept in a store with this setup.
  virtual void check_setting() const {}

  // Returns "INSERT INTO ... (columns) " and the values of these columns, between `before_values`
  // and `after_values`.
  Sql insert_space(const NamespaceRecord& space, const char* before_values, const Sql& after_values) const;
  Sql insert_node(std::uint64_t node, const NodeRecord& record, const char* before_values,
                  const Sql& after_values) const;
  Sql update_space(const NamespaceRecord& space) const;  // "UPDATE ... SET ... "
  Sql update_node(const NodeRecord& record) const;
  Sql set_node(const NodeRecord& record) const;  // "... = ..., ..."

  static std::vector<std::uint64_t> nodes_of(const Cas& cas);
  const std::string& name() const { return name_; }
  const std::string& setting() const { return setting_; }  // from the last read of the namespace
  const std::string& schema() const { return schema_; }
  std::string spaces_table() const { return (schema_.empty() ? "" : schema_ + ".") + kNamespaces; }
  std::string nodes_table() const { return (schema_.empty() ? "" : schema_ + ".") + kNodes; }

 private:
  const SqlWords words_;
  const std::string name_;    // of the namespace
  const std::string schema_;  // quoted
  const Placeholder placeholder_;
  std::vector<std::uint64_t> nodes_;  // those asked for
  bool has_tables_ = false;           // from the last read
  std::string setting_;               // the same
};

}  // namespace polyflake::lease
