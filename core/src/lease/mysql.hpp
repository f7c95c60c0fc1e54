// The common part of statements for leases and counters in MySQL and MariaDB.
#pragma once

#include <string>
#include <vector>

#include "lease/sql_tables.hpp"

namespace polyflake::lease::mysql {

SqlTables tables(const std::string& name, const std::string& schema, Placeholder placeholder);

// Returns an expression: an engine of one of the tables other than InnoDB, "" if there is none.
std::string engine_of(const std::string& schema, const std::vector<std::string>& tables);
// Returns a message about such an engine. used: the names of the tables, as "a and b".
std::string refusal_of(const std::string& engine, const std::string& used);

std::vector<std::string> setup();
bool is_missing(const std::string& code);
// Returns true if the server rolled the transaction back, or gave up waiting for a lock.
bool is_undone(const std::string& code);
// As StoreTraits::advice().
std::string advice(const std::string& code, const std::string& used);

}  // namespace polyflake::lease::mysql
