// PostgreSQL: a cas is one statement, which writes the changes that its conditions allow and
// returns the rows it found. It is a transaction of its own, with the settings that it needs, sent
// at once. So a client that stops holds no lock, and a pooler in between passes no setting on.
//
// Each row names the transaction that wrote it (tx), and PostgreSQL keeps the number of that
// transaction, too (xmin). If they differ, the row was put back from a dump or edited, and later
// promises may be lost. Then a namespace counts as not settled, and accepts only writes that leave
// it not settled. A node counts as missing: it is created again, which compares the namespace's
// nonce.
//
// Tables are named with their schema, so the search_path of a role does not matter: all roles of a
// database share them. Durable: synchronous_commit stays on.
//
// Commands:
//
//   transaction   {text} of statements, sent at once and carried out as one transaction; a warning
//                 is a failure
//                 reply: rows of the statement that has some
//   statements    {text}..., each by itself
//                 reply: rows of the last one
#include <polyflake/text.hpp>

#include <utility>

#include "base/ascii.hpp"
#include "lease/postgresql.hpp"
#include "lease/record.hpp"
#include "lease/sql.hpp"
#include "lease/standbys.hpp"
#include "lease/store_kinds.hpp"

namespace polyflake::lease {
namespace postgresql {

const char* const kIncarnation =
    "(SELECT CAST(system_identifier AS text) FROM pg_control_system()) || ':' || "
    "substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8) || ':' || "
    "(SELECT CAST(oid AS text) FROM pg_database WHERE datname = current_database())";
const char* const kServerMs = "CAST(floor(extract(epoch FROM clock_timestamp()) * 1000) AS bigint)";
// Asks for warnings: one of them says that no standby confirmed the commit.
const char* const kSettings =
    "SET TRANSACTION ISOLATION LEVEL READ COMMITTED, READ WRITE; SET LOCAL synchronous_commit = on; "
    "SET LOCAL lock_timeout = 2000; SET LOCAL client_min_messages = warning; ";

SqlTables tables(const std::string& name, const std::string& schema) {
  SqlWords words;
  words.text_type = "text";
  words.incarnation = kIncarnation;
  words.store_ms = kServerMs;
  words.more_columns = "tx bigint NOT NULL, ";
  words.more_values = {{"tx", "txid_current() % 4294967296"}};  // xmin has the low 32 bits
  // A row that was put back from a dump, or edited, was written by a transaction other than tx.
  words.is_intact = [](const std::string& table) {
    return table + ".tx = CAST(CAST(" + table + ".xmin AS text) AS bigint)";
  };
  return {std::move(words), name, "\"" + (schema.empty() ? "public" : schema) + "\"", Placeholder::literal};
}

Command transaction(const SqlTables& tables, const Sql& all) {
  Command command = tables.statements({kSettings + all});
  command.name = "transaction";
  return command;
}

bool is_missing(const std::string& code) { return code == "42P01"; }
bool is_undone(const std::string& code) { return code == "40001" || code == "40P01" || code == "55P03"; }

std::string advice(const std::string& code, const std::string& schema, const std::string& used,
                   const std::string& who) {
  if (code == "01000") return "the server warned while it committed, so its standbys may not have what was written";
  if (code == "3F000") return "there is no schema " + schema + ": CREATE SCHEMA " + schema;
  if (code != "42501") return advice_on(code);
  return "this role may not use or make " + used + " in the schema " + schema + ": GRANT CREATE, USAGE ON SCHEMA " +
         schema + who + "; or name another schema with schema=";
}

}  // namespace postgresql

namespace {

// The number of standbys, and the standbys that a commit waits for. Base backups and logical
// subscribers do not count.
constexpr const char* kStandbys =
    "(SELECT count(*) FROM pg_stat_replication WHERE state IS DISTINCT FROM 'backup' AND pid NOT IN (SELECT active_pid FROM "
    "pg_replication_slots WHERE slot_type = 'logical' AND active_pid IS NOT NULL)) || ' ' || "
    "current_setting('synchronous_standby_names')";

class PostgreSql final : public SqlDialect {
 public:
  PostgreSql(const std::string& name, const std::string& schema)
      : SqlDialect(postgresql::tables(name, schema), kStandbys) {}
  using SqlDialect::begin;

  Command begin(const Cas& cas) override {
    cas_ = cas;
    Sql sql = "WITH held AS (" + hold() + ")";
    if (cas.node) sql += ", written AS (" + write_node() + ")";
    const std::string count = std::string("(SELECT count(*) FROM ") + (cas.node ? "written" : "held") + ")";
    return postgresql::transaction(tables(), sql + " " + look(count, to_text(cas.echo), nodes_of(cas)));
  }

  std::variant<Command, Answer> cas_replied(const Reply& reply) override {
    const Seen seen = this->seen(reply, nodes_of(cas_));
    Answer answer{Outcome::ok, seen.echo, seen.contents.store_ms};
    if (seen.written) return answer;
    answer.outcome = seen.judge(cas_);
    if (answer.outcome == Outcome::ok && needs_intact_space() && !seen.space_intact)
      answer.outcome = Outcome::incarnation;
    // The row satisfied the conditions when the statement began: another client was first.
    if (answer.outcome == Outcome::ok) answer.outcome = Outcome::conflict;
    return answer;
  }

  std::string warning() const override {
    const std::size_t blank = setting().find(' ');
    const auto standbys = ascii::decimal(setting().substr(0, blank));
    if (!standbys || *standbys == 0 || confirms_by_majority(setting().substr(blank + 1), *standbys)) return "";
    return "polyflake: this PostgreSQL has " + std::to_string(*standbys) +
           " standbys, and synchronous_standby_names is not ANY k (names) with k + 1 more than half of all copies: after a "
           "failover its old primary must be fenced and never be served again, or ids repeat: see docs/leases.md";
  }

  bool is_missing(const std::string& code) const override { return postgresql::is_missing(code); }
  std::string advice(const std::string& code) const override {
    return postgresql::advice(
        code, tables().schema(), "polyflake_namespaces and polyflake_nodes",
        " to the role that makes the namespace, and SELECT, INSERT, UPDATE on these tables to the "
        "others");
  }

 private:
  // A namespace whose row was put back accepts only writes that leave it not settled.
  bool needs_intact_space() const { return !cas_.makes_namespace && (!cas_.space || cas_.space->settled); }

  // Locks the namespace as the cas requires it, unchanged until the cas is done, and writes it if
  // that is part of the cas.
  Sql hold() const {
    if (cas_.makes_namespace) {
      Sql where = Sql(std::string(" WHERE ") + postgresql::kIncarnation + " = ?", {cas_.incarnation});
      return insert_space(*cas_.space, "SELECT ", where) + " ON CONFLICT DO NOTHING RETURNING name";
    }
    Sql where(
        std::string(" WHERE name = ? AND uuid = ? AND term = ? AND layout = ? AND ") + postgresql::kIncarnation +
            " = ?",
        {name(), to_text(cas_.uuid), to_text(cas_.term), polyflake::to_text(cas_.layout, "hex"), cas_.incarnation});
    if (needs_intact_space()) where += " AND " + is_intact(SqlTables::kNamespaces);
    if (!cas_.space) return "SELECT name FROM " + spaces_table() + where + " FOR SHARE";
    Sql sql = update_space(*cas_.space) + where + Sql(" AND nonce = ?", {to_text(*cas_.space_nonce)});
    if (cas_.bounded) sql += near_enough("floor_ms", cas_.space->floor_ms);
    if (cas_.node && !cas_.node_nonce) {
      sql += Sql(" AND NOT EXISTS (SELECT 1 FROM " + nodes_table() +
                     " d WHERE d.name = ? AND d.node = " + std::to_string(*cas_.node) +
                     " AND (d.node >= polyflake_namespaces.used OR " + is_intact("d") + "))",
                 {name()});
      if (cas_.bounded) sql += near_enough("0", cas_.record.until_ms);
    }
    return sql + " RETURNING name";
  }

  Sql write_node() const {
    if (!cas_.node_nonce) {
      return insert_node(*cas_.node, cas_.record, "SELECT ",
                         " FROM held ON CONFLICT (name, node) DO UPDATE SET " + set_node(cas_.record) + " WHERE NOT (" +
                             is_intact(kNodes) + ") RETURNING 1");
    }
    Sql sql =
        update_node(cas_.record) +
        " FROM held WHERE polyflake_nodes.name = held.name AND node = " + std::to_string(*cas_.node) +
        Sql(" AND " + is_intact(kNodes) + " AND nonce = ? AND (owner = ? OR until_ms <= " + postgresql::kServerMs + ")",
            {to_text(*cas_.node_nonce), to_text(cas_.record.owner)});
    if (cas_.bounded) sql += near_enough("until_ms", cas_.record.until_ms);
    return sql + " RETURNING 1";
  }

  // Returns the condition for a time: it is not above the present one, or the store's clock allows
  // it.
  Sql near_enough(const std::string& present, std::int64_t ms) const {
    return " AND " + std::to_string(ms) + " <= greatest(" + present + ", " + postgresql::kServerMs + " + " +
           std::to_string(cas_.longest_ms) + ")";
  }

  Cas cas_;
};

}  // namespace

constexpr StoreKind stores::postgresql{
    "postgresql", "postgresql", true,
    [](const std::string& name, const std::string& schema, Placeholder) -> std::unique_ptr<Dialect> {
      return std::make_unique<PostgreSql>(name, schema);
    }};

}  // namespace polyflake::lease
