// The common SQL of counters in PostgreSQL and MySQL: a row per counter, beside the table of
// namespaces.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "count/dialect.hpp"
#include "lease/sql_tables.hpp"

namespace polyflake::count {

class SqlDialect : public Dialect {
 public:
  static constexpr const char* kCounters = "polyflake_counter";
  // For messages.
  static constexpr const char* kTables = "polyflake_namespaces and polyflake_counter";

  // setting: an expression of how the store is set up.
  SqlDialect(lease::SqlTables tables, std::string counter, std::string setting)
      : tables_(std::move(tables)), counter_(std::move(counter)), setting_(std::move(setting)) {}

  Command begin_read() final;
  std::optional<Command> begin_read_without_table() final;
  std::variant<Command, Contents> read_replied(const Reply& reply) final;
  Command begin_names() final;
  std::variant<Command, Names> names_replied(const Reply& reply) final;
  Names names_without_table() const final;
  std::vector<Command> preparation() const final;

 protected:
  // Returns a select of one row: the namespace and the counter. written: an expression for its
  // first column; more: columns at the end, each after ", "; from: text after the other tables.
  lease::Sql look(const std::string& written, const Word& echo, const std::string& more = "",
                  const std::string& from = "", const std::string& setting = "''") const;

  struct Seen {
    bool written = false;
    Word echo;
    Contents contents;
    std::string setting;
    lease::Row more;
  };
  static Seen seen_in(const Reply& reply);
  // Returns what a row says that ends with the columns of the namespace.
  static Contents namespace_seen_in(const Reply& reply);

  // Returns the outcome of a write that the store did not carry out: what the rules say of the row
  // that it found.
  static Answer refusal_of(const Write& write, const Seen& seen);

  // Returns why this store may not keep counters, by its setting; "" if it may.
  virtual std::string misconfigured(const std::string& setting) const = 0;

  // Returns an expression: a text that each write of the row of the counter changes; "" if there is
  // none.
  virtual std::string version_column() const { return ""; }
  const std::string& version() const { return version_; }  // from the last read

  const lease::SqlTables& tables() const { return tables_; }
  std::string table() const { return tables_.qualified(kCounters); }
  lease::Sql where() const;                               // " WHERE name = ? AND counter = ?"
  lease::Sql namespace_of(const Request& request) const;  // "SELECT 1 FROM ..." that has the uuid
  lease::Sql insert(const Record& record, const char* before_values, const lease::Sql& after_values) const;
  // Returns the columns that a write of the head changes: all, or all but those that are counted.
  lease::SqlValues values_of(const WriteHead& head) const;
  lease::SqlValues values_of(const Record& record) const;

 private:
  const lease::SqlTables tables_;
  const std::string counter_;  // its name
  const std::string setting_;
  std::string version_;
  bool has_table_ = true;   // as the read in progress found it
  bool has_space_ = false;  // as found when the names were asked for
};

}  // namespace polyflake::count
