// What the SQL of PostgreSQL and of MySQL have in common: two tables, a row a record and a column a field.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lease/dialect.hpp"

namespace polyflake::lease {

// A statement with its arguments: '?' stands for each, in the order in which they are given.
class Sql {
 public:
  Sql(std::string text, std::vector<std::string> arguments = {})  // NOLINT: text is a statement
      : text_(std::move(text)), arguments_(std::move(arguments)) {}
  Sql(const char* text) : text_(text) {}  // NOLINT

  Sql& operator+=(const Sql& more);
  friend Sql operator+(Sql a, const Sql& b) { return std::move(a += b); }

  // As a part of a command: the text as a client writes its placeholders, then the arguments.
  std::vector<std::string> part(Placeholder placeholder) const;

 private:
  std::string text_;
  std::vector<std::string> arguments_;
};

// What each kind of database says in its own words.
struct SqlWords {
  const char* text_type;    // that a column is cast to, to be read as text
  const char* incarnation;  // expressions
  const char* store_ms;
  // An expression of how the store is set up. It is read only together with the namespace alone.
  std::string setting;
};

class SqlDialect : public Dialect {
 public:
  static constexpr const char* kNamespaces = "polyflake_namespaces";
  static constexpr const char* kNodes = "polyflake_nodes";

  // quoted_schema: as it stands before the name of a table, with its quotes; "" for that of the connection.
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
  // A row for the namespace with each of these nodes, at least one; `written` is an expression for its first column,
  // `setting` the one of that name in the words, or none.
  Sql look(const std::string& written, const std::string& echo, const std::vector<std::uint64_t>& nodes,
           const std::string& setting = "''") const;

  // If a row is not intact, a later one may be lost: such a namespace is given as not settled, such a node as missing.
  struct Seen {
    bool written = false;
    Word echo;
    Contents contents;
    bool names_intact = false;
    std::string setting;
    // What the rules say to a cas that finds this.
    Outcome judge(const Cas& cas) const;
  };
  Seen seen(const Reply& reply, const std::vector<std::uint64_t>& nodes) const;

  Command statements(const std::vector<Sql>& all) const;

  // A condition: the row of this table is as a lease wrote it, and was not put back or edited since.
  virtual std::string is_intact(const std::string&) const { return "1 = 1"; }
  // Columns that tables have beside those of records, in PostgreSQL: "tx bigint NOT NULL, ", and what is written there.
  virtual std::string more_columns() const { return ""; }
  virtual std::vector<std::pair<std::string, std::string>> more_values() const { return {}; }
  // Returns the text that follows the columns of a table that is made.
  virtual std::string table_options() const { return ""; }
  // Errors: store_unavailable if leases cannot be kept in a store that is set up so.
  virtual void check_setting() const {}

  // "INSERT INTO ... (columns) ", to go on with a select of these columns or values; and these columns.
  Sql insert_names(const NamespaceRecord& names, const char* before_values, const Sql& after_values) const;
  Sql insert_node(std::uint64_t node, const NodeRecord& record, const char* before_values,
                  const Sql& after_values) const;
  Sql update_names(const NamespaceRecord& names) const;  // "UPDATE ... SET ... "
  Sql update_node(const NodeRecord& record) const;
  Sql set_node(const NodeRecord& record) const;  // "... = ..., ..."

  static std::vector<std::uint64_t> nodes_of(const Cas& cas);
  const std::string& name() const { return name_; }
  const std::string& setting() const { return setting_; }  // as the last read of the namespace told
  const std::string& schema() const { return schema_; }
  std::string names_table() const { return (schema_.empty() ? "" : schema_ + ".") + kNamespaces; }
  std::string nodes_table() const { return (schema_.empty() ? "" : schema_ + ".") + kNodes; }
  const SqlWords& words() const { return words_; }

 private:
  const SqlWords words_;
  const std::string name_;    // of the namespace
  const std::string schema_;  // quoted
  const Placeholder placeholder_;
  std::vector<std::uint64_t> nodes_;  // that were asked for
  bool has_tables_ = false;           // as the last read told
  std::string setting_;               // the same
};

}  // namespace polyflake::lease
