// MySQL and MariaDB: each write is a short transaction, as those of leases (lease/mysql.cpp): it
// locks the row and reads it, the rules are applied here, and the new row is written. So nothing
// depends on the state of a session, and a range counts only after the reply to the commit.
#include <utility>

#include "base/pieces.hpp"
#include "count/record.hpp"
#include "count/sql.hpp"
#include "lease/mysql.hpp"
#include "lease/record.hpp"
#include "lease/reply.hpp"

namespace polyflake::count {
namespace {

namespace mysql = lease::mysql;
using lease::Sql;
using lease::SqlTables;

// The durability of a commit, the form in which replicas get it, and a wrong engine.
std::string setting_in(const std::string& schema) {
  return "CONCAT_WS(' ', @@innodb_flush_log_at_trx_commit, @@binlog_format, " +
         mysql::engine_of(schema, {SqlTables::kNamespaces, SqlDialect::kCounters}) + ")";
}

class MySql final : public SqlDialect {
 public:
  explicit MySql(const Place& place)
      : SqlDialect(mysql::tables(place.space, place.schema, place.placeholder), place.counter,
                   setting_in(place.schema)) {}

  Command begin(const Write& write) override {
    write_ = write;
    answer_.reset();
    return tables().statements(
        {"SET SESSION wait_timeout = 5", "START TRANSACTION",
         Sql("SELECT name FROM " + tables().qualified(SqlTables::kNamespaces) + " WHERE name = ? LOCK IN SHARE MODE",
             {tables().name()}),
         "SELECT counter FROM " + table() + where() + " FOR UPDATE", look("0", conditions_of(write_).echo)});
  }

  std::variant<Command, Answer> write_replied(const Reply& reply) override {
    if (answer_) return *answer_;
    const Seen seen = seen_in(reply);
    if (seen.echo != conditions_of(write_).echo) lease::misunderstood("it answers another request");
    std::optional<Record> record = seen.contents.record;
    answer_ = step(record, write_, {seen.contents.space, seen.contents.incarnation, seen.contents.store_ms});
    const bool writes = answer_->outcome == Outcome::ok;
    std::vector<Sql> all;
    if (writes) all.push_back(seen.contents.record ? update(*record) : insert(*record, "VALUES (", ")"));
    all.emplace_back(writes ? "COMMIT" : "ROLLBACK");
    all.emplace_back("SET SESSION wait_timeout = DEFAULT");
    return tables().statements(all);
  }

  std::vector<std::string> setup() const override { return mysql::setup(); }
  bool is_missing(const std::string& code) const override { return mysql::is_missing(code); }
  bool is_undone(const std::string& code) const override { return mysql::is_undone(code); }
  std::string advice(const std::string& code) const override { return mysql::advice(code, kTables); }

 private:
  Sql update(const Record& record) const {
    return "UPDATE " + table() + " SET " + SqlTables::set(values_of(record)) + where();
  }

  std::string misconfigured(const std::string& setting) const override {
    const std::vector<std::string> words = pieces_of(setting, ' ');
    if (words.size() < 2) lease::misunderstood("the setting is not complete");
    if (words.size() > 2) return mysql::refusal_of(words[2], kTables);
    if (words[0] != "1") return "innodb_flush_log_at_trx_commit is not 1: a crash would give numbers out twice";
    return words[1] == "STATEMENT"
               ? "binlog_format is STATEMENT: replicas would not get the numbers that were given out"
               : "";
  }

  Write write_;                   // the present one
  std::optional<Answer> answer_;  // set once the row was read
};

}  // namespace

std::unique_ptr<Dialect> stores::mysql(const Place& place) { return std::make_unique<MySql>(place); }

}  // namespace polyflake::count
