#include "lease/sql_tables.hpp"

namespace polyflake::lease {
namespace {

std::string type_of(const FieldName& field) {
  if (!field.is_number()) return "varchar(" + std::to_string(field.longest) + ")";
  return field.type == FieldType::flag ? "smallint" : "bigint";
}

// A number is part of the statement's text, so that its type need not be given.
Sql value(const FieldName& field, const std::string& value) {
  return field.is_number() ? Sql(value) : Sql("?", {value});
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

Command SqlTables::statements(const std::vector<Sql>& all) const {
  Command command{"statements", {}};
  for (const Sql& sql : all) command.parts.push_back(sql.part(placeholder_));
  return command;
}

// Makes no table that exists: a role that may write rows may not always make tables.
Sql SqlTables::create(const char* table, const std::string& keys, const FieldNames& fields,
                      const std::string& constraints) const {
  std::string text = "CREATE TABLE IF NOT EXISTS " + qualified(table) + " (" + words_.more_columns + keys;
  for (const FieldName& field : fields) {
    text.append(", ").append(field.name).append(" ").append(type_of(field)).append(" NOT NULL");
  }
  return text + constraints + ")" + words_.table_options;
}

std::string SqlTables::columns(const char* alias, const FieldNames& fields) const {
  std::string list = ", CASE WHEN " + words_.is_intact(alias) + " THEN '1' ELSE '0' END";
  for (const FieldName& field : fields) {
    list.append(field.is_number() ? ", CAST(" : ", ").append(alias).append(".").append(field.name);
    if (field.is_number()) list.append(" AS ").append(words_.text_type).append(")");
  }
  return list;
}

Sql SqlTables::first_columns(const std::string& written, const std::string& echo, const std::string& setting) const {
  const std::string text = words_.text_type;
  return Sql("CAST(" + written + " AS " + text + "), CAST(? AS " + text + "), " + words_.incarnation + ", CAST(" +
                 words_.store_ms + " AS " + text + "), " + setting,
             {echo});
}

SqlValues SqlTables::values_of(const FieldNames& table, const Fields& fields) const {
  SqlValues values;
  for (std::size_t i = 0; i < table.size(); ++i) values.emplace_back(table[i].name, value(table[i], fields[i]));
  for (const auto& [name, expression] : words_.more_values) values.emplace_back(name, expression);
  return values;
}

Sql SqlTables::insert(const char* table, const SqlValues& keys, const SqlValues& values, const char* before_values,
                      const Sql& after_values) const {
  Sql sql = "INSERT INTO " + qualified(table) + " (";
  Sql all = "";
  const char* separator = "";
  for (const SqlValues* const list : {&keys, &values}) {
    for (const auto& [name, expression] : *list) {
      sql += separator + name;
      all += separator + expression;
      separator = ", ";
    }
  }
  return sql + ") " + before_values + all + after_values;
}

Sql SqlTables::set(const SqlValues& values) {
  Sql sql = "";
  const char* separator = "";
  for (const auto& [name, expression] : values) {
    sql += separator + name + " = " + expression;
    separator = ", ";
  }
  return sql;
}

}  // namespace polyflake::lease
