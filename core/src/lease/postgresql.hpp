// The common part of statements for leases and counters in PostgreSQL.
#pragma once

#include <string>

#include "lease/sql_tables.hpp"

namespace polyflake::lease::postgresql {

// An expression that names the store: the cluster's identity; its timeline, which every promotion
// and every recovery from an archive moves on; and the number of the database, which a copy made
// from a template does not share.
extern const char* const kIncarnation;
extern const char* const kServerMs;  // an expression of Unix ms
// Statements that each transaction begins with.
extern const char* const kSettings;

SqlTables tables(const std::string& name, const std::string& schema);

// Returns statements as one transaction.
Command transaction(const SqlTables& tables, const Sql& all);

bool is_missing(const std::string& code);
// Returns true if the server rolled the transaction back, or gave up waiting for a lock.
bool is_undone(const std::string& code);
// As StoreTraits::advice(). used: the names of the tables, as "a and b". who: the roles that may
// make them and write to them, with their rights besides those on the schema.
std::string advice(const std::string& code, const std::string& schema, const std::string& used, const std::string& who);

}  // namespace polyflake::lease::postgresql
