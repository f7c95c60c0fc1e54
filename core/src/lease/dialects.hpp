// The kinds of stores there are, a file each, and the words they share for what came of a cas.
#pragma once

#include <memory>
#include <string>

#include "lease/dialect.hpp"

namespace polyflake::lease {

std::unique_ptr<Dialect> make_redis(const std::string& name);
std::unique_ptr<Dialect> make_postgresql(const std::string& name, const std::string& schema);
std::unique_ptr<Dialect> make_mysql(const std::string& name, const std::string& schema, Placeholder placeholder);
std::unique_ptr<Dialect> make_zookeeper(const std::string& name);
std::unique_ptr<Dialect> make_etcd(const std::string& name);

// "ok", "conflict", ... Errors: store_unavailable.
Outcome outcome_of(const std::string& word);
const char* word_of(Outcome outcome);

}  // namespace polyflake::lease
