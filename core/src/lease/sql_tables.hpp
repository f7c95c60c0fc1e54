// Tables of records in PostgreSQL and MySQL: a row per record and a column per field.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lease/dialect.hpp"
#include "lease/record.hpp"

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
  const char* text_type = nullptr;    // the type to which a column is cast to read it as text
  const char* incarnation = nullptr;  // an expression, as is store_ms
  const char* store_ms = nullptr;
  // Columns that tables have beside those of records, for example "tx bigint NOT NULL, ", and the
  // expressions written there.
  std::string more_columns;
  std::vector<std::pair<std::string, std::string>> more_values;
  std::string table_options;  // the text after the columns of a new table
  // Returns a condition: the row of this table is as a client wrote it, and was not put back or
  // edited since.
  std::string (*is_intact)(const std::string& table) = nullptr;
};

using SqlValues = std::vector<std::pair<std::string, Sql>>;  // by column

class SqlTables {
 public:
  static constexpr const char* kNamespaces = "polyflake_namespaces";

  // quoted_schema: with its quotes, as written before the name of a table; "" for the connection's
  // schema.
  SqlTables(SqlWords words, std::string name, std::string quoted_schema, Placeholder placeholder)
      : words_(std::move(words)),
        name_(std::move(name)),
        schema_(std::move(quoted_schema)),
        placeholder_(placeholder) {}

  const SqlWords& words() const { return words_; }
  const std::string& name() const { return name_; }  // of the namespace
  const std::string& schema() const { return schema_; }
  std::string qualified(const char* table) const { return (schema_.empty() ? "" : schema_ + ".") + table; }

  Command statements(const std::vector<Sql>& all) const;

  // Returns the statement that makes a table. keys: the columns before those of the fields;
  // constraints: the text after these.
  Sql create(const char* table, const std::string& keys, const FieldNames& fields,
             const std::string& constraints) const;
  // Returns ", CASE WHEN ... END, a.format, a.uuid, CAST(a.floor_ms AS text), ...": whether the row
  // is intact, "1" or "0", and its fields as text.
  std::string columns(const char* alias, const FieldNames& fields) const;
  // Returns the columns that come first in each look: `written`, the echo, the incarnation, the
  // store's time, the setting.
  Sql first_columns(const std::string& written, const std::string& echo, const std::string& setting) const;

  // Returns the columns of a record, with more_values().
  SqlValues values_of(const FieldNames& table, const Fields& fields) const;
  // Returns "INSERT INTO ... (columns) " and the values of these columns, between `before_values`
  // and `after_values`. keys: columns and their values.
  Sql insert(const char* table, const SqlValues& keys, const SqlValues& values, const char* before_values,
             const Sql& after_values) const;
  static Sql set(const SqlValues& values);  // "... = ..., ..."

 private:
  const SqlWords words_;
  const std::string name_;
  const std::string schema_;
  const Placeholder placeholder_;
};

// Positions in a row of first_columns().
constexpr std::size_t kWrittenColumn = 0, kEchoColumn = 1, kIncarnationColumn = 2, kStoreMsColumn = 3,
                      kSettingColumn = 4, kFirstColumns = 5;

}  // namespace polyflake::lease
