// MySQL and MariaDB: a cas is a short transaction. It locks the two rows and reads them. The rules
// are applied here, and the allowed changes are written.
//
// A client that stops in between holds the locks for a few seconds, until the server ends its
// connection. The incarnation is the identity of the server: server_uuid, in MariaDB server_id with
// server_uid.
//
// Commands:
//
//   statements    {text, argument...}..., in this order on one connection
//                 reply: rows of the last one
#include <polyflake/error.hpp>

#include <utility>

#include "lease/mysql.hpp"
#include "lease/record.hpp"
#include "lease/reply.hpp"
#include "lease/sql.hpp"
#include "lease/store_kinds.hpp"

namespace polyflake::lease {
namespace mysql {

// MariaDB reads only the first comment, MySQL the second.
SqlTables tables(const std::string& name, const std::string& schema, Placeholder placeholder) {
  SqlWords words;
  words.text_type = "char";
  words.incarnation = "CONCAT_WS(':', @@server_id /*M!, @@server_uid */ /*!80000 , @@server_uuid */)";
  words.store_ms = "FLOOR(UNIX_TIMESTAMP(SYSDATE(6)) * 1000)";
  words.table_options = " ENGINE = InnoDB";
  words.is_intact = [](const std::string&) -> std::string { return "1 = 1"; };
  return {std::move(words), name, schema.empty() ? "" : "`" + schema + "`", placeholder};
}

std::string engine_of(const std::string& schema, const std::vector<std::string>& tables) {
  std::string list;
  for (const std::string& table : tables) list += (list.empty() ? "'" : ", '") + table + "'";
  return "COALESCE((SELECT MIN(COALESCE(engine, 'VIEW')) FROM information_schema.tables WHERE table_schema = " +
         (schema.empty() ? "DATABASE()" : "'" + schema + "'") + " AND table_name IN (" + list +
         ") AND COALESCE(engine, 'VIEW') <> 'InnoDB'), '')";
}

std::string refusal_of(const std::string& engine, const std::string& used) {
  return "the tables " + used + " are to be of the engine InnoDB, and one of them is of " + quoted(engine) +
         ", which has no transactions or keeps no row locks: stop all clients, then ALTER TABLE ... ENGINE = InnoDB";
}

std::vector<std::string> setup() {
  return {"SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED",
          "SET SESSION autocommit = 1, time_zone = '+00:00', innodb_lock_wait_timeout = 2"};
}

bool is_missing(const std::string& code) { return code == "1146" || code == "42S02"; }
// 41000 is that of a lock wait by JDBC, 40001 of a deadlock.
bool is_undone(const std::string& code) {
  return code == "1213" || code == "1205" || code == "40001" || code == "41000";
}

// JDBC reports 42000 for all of them. It also means a syntax error, which these statements never
// contain.
std::string advice(const std::string& code, const std::string& used) {
  if (code != "1142" && code != "1044" && code != "42000") return advice_on(code);
  return "the tables " + used +
         " are missing, or this user may not use them: an operator who may makes them with init_namespace or "
         "init_counter, and grants SELECT, INSERT and UPDATE on them";
}

}  // namespace mysql

namespace {

// An engine of the tables other than InnoDB, the only one known to keep row locks and transactions;
// a view has none.
std::string engine_in(const std::string& schema) {
  return mysql::engine_of(schema, {SqlTables::kNamespaces, SqlDialect::kNodes});
}

class MySql final : public SqlDialect {
 public:
  MySql(const std::string& name, const std::string& schema, Placeholder placeholder)
      : SqlDialect(mysql::tables(name, schema, placeholder), engine_in(schema)) {}
  using SqlDialect::begin;

  Command begin(const Cas& cas) override {
    cas_ = cas;
    outcome_.reset();
    const char* const lock = cas.space ? " FOR UPDATE" : " LOCK IN SHARE MODE";
    std::vector<Sql> all{"SET SESSION wait_timeout = 5", "START TRANSACTION",
                         Sql("SELECT name FROM " + spaces_table() + " WHERE name = ?" + lock, {name()})};
    if (cas.node) all.push_back("SELECT node FROM " + nodes_table() + where_node() + " FOR UPDATE");
    all.push_back(look("0", to_text(cas.echo), nodes_of(cas)));
    return tables().statements(all);
  }

  std::variant<Command, Answer> cas_replied(const Reply& reply) override {
    if (outcome_) return Answer{*outcome_, cas_.echo, store_ms_};
    const Seen seen = this->seen(reply, nodes_of(cas_));
    if (seen.echo != cas_.echo) misunderstood("it answers another request");
    outcome_ = seen.judge(cas_);
    store_ms_ = seen.contents.store_ms;
    std::vector<Sql> all;
    if (outcome_ == Outcome::ok) all = write();
    all.emplace_back(outcome_ == Outcome::ok ? "COMMIT" : "ROLLBACK");
    all.emplace_back("SET SESSION wait_timeout = DEFAULT");
    return tables().statements(all);
  }

  std::vector<std::string> setup() const override { return mysql::setup(); }
  bool is_missing(const std::string& code) const override { return mysql::is_missing(code); }
  std::string advice(const std::string& code) const override {
    return mysql::advice(code, "polyflake_namespaces and polyflake_nodes");
  }

 protected:
  void check_setting() const override {
    if (setting().empty()) return;
    throw Error(ErrorCode::store_unavailable,
                mysql::refusal_of(setting(), "polyflake_namespaces and polyflake_nodes") + ", and raise the floor");
  }

 private:
  Sql where_node() const { return Sql(" WHERE name = ? AND node = " + std::to_string(*cas_.node), {name()}); }

  std::vector<Sql> write() const {
    std::vector<Sql> all;
    if (cas_.makes_namespace) {
      all.push_back(insert_space(*cas_.space, "VALUES (", ")"));
    } else if (cas_.space) {
      all.push_back(update_space(*cas_.space) + Sql(" WHERE name = ?", {name()}));
    }
    if (cas_.node && cas_.node_nonce) all.push_back(update_node(cas_.record) + where_node());
    if (cas_.node && !cas_.node_nonce) all.push_back(insert_node(*cas_.node, cas_.record, "VALUES (", ")"));
    return all;
  }

  Cas cas_;
  std::optional<Outcome> outcome_;  // set once the rows were read
  std::optional<std::int64_t> store_ms_;
};

}  // namespace

constexpr StoreKind stores::mysql{
    "mysql", "mysql", true,
    [](const std::string& name, const std::string& schema, Placeholder placeholder) -> std::unique_ptr<Dialect> {
      return std::make_unique<MySql>(name, schema, placeholder);
    }};

}  // namespace polyflake::lease
