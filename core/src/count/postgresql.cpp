// PostgreSQL: each write is one statement with its conditions, a transaction of its own that is
// sent at once, as those of leases (lease/postgresql.cpp). So a client that stops holds no lock,
// and a range counts only after the reply to the commit.
//
// A row whose tx is not its xmin was put back from a dump or edited by hand: it counts as another
// incarnation. Each write sets tx, and only those that set `next` above all that was given out go
// on from such a row.
//
// The same in a session of one's own, to read a counter:
//
//   SELECT next, room, head FROM polyflake_counter WHERE name = 'shop' AND counter = 'orders';
#include <utility>

#include "count/record.hpp"
#include "count/sql.hpp"
#include "lease/postgresql.hpp"
#include "lease/record.hpp"
#include "lease/reply.hpp"

namespace polyflake::count {
namespace {

namespace postgresql = lease::postgresql;
using lease::Sql;
using lease::SqlTables;

// Without it a crash of the server may lose acknowledged writes.
constexpr const char* kSetting = "current_setting('fsync')";

class PostgreSql final : public SqlDialect {
 public:
  explicit PostgreSql(const Place& place)
      : SqlDialect(postgresql::tables(place.space, place.schema), place.counter, kSetting) {}

  Command begin(const Write& write) override {
    write_ = write;
    const Sql sql = std::visit([this](const auto& request) { return sql_of(request); }, write_);
    return postgresql::transaction(
        tables(), "WITH written AS (" + sql + ") " +
                      look("(SELECT count(*) FROM written)", conditions_of(write_).echo,
                           ", CAST(written.first AS text), CAST(written.room AS text)", " LEFT JOIN written ON true"));
  }

  std::variant<Command, Answer> write_replied(const Reply& reply) override {
    const Seen seen = seen_in(reply);
    if (!seen.written) return refusal_of(write_, seen);
    const auto number_at = [&](std::size_t i) { return static_cast<std::uint64_t>(lease::ms_at(seen.more, i)); };
    return Answer{Outcome::ok, seen.echo, number_at(0), number_at(1), seen.contents.store_ms};
  }

  bool is_missing(const std::string& code) const override { return postgresql::is_missing(code); }
  bool is_undone(const std::string& code) const override { return postgresql::is_undone(code); }
  std::string advice(const std::string& code) const override {
    return postgresql::advice(code, tables().schema(), kTables,
                              " and REFERENCES ON polyflake_namespaces to the role that makes the first counter, and "
                              "SELECT on polyflake_namespaces and SELECT, INSERT, UPDATE on polyflake_counter to all");
  }

 private:
  std::string misconfigured(const std::string& fsync) const override {
    return fsync == "on" ? "" : "fsync is off: a crash of the server would give numbers out twice";
  }

  Sql sql_of(const Add& add) const {
    const std::string n = std::to_string(add.n), until = std::to_string(add.until_ms);
    return count_by("next = next + " + n + ", room = room - " + n, add) +
           (" AND room >= " + n + " AND until_ms = " + until + " AND until_ms > " + postgresql::kServerMs) +
           " RETURNING next - " + n + " AS first, room";
  }

  Sql sql_of(const Back& back) const {
    const std::string n = std::to_string(back.n);
    Sql changes = "next = next - " + n + ", room = room + " + n;
    Sql more(" AND nonce = ? AND next > " + n, {lease::to_text(back.nonce)});
    if (back.whole) {
      const std::string former = nonce_in_head(back.whole->head_nonce), next = std::to_string(back.whole->end);
      changes += Sql(", head = replace(head, ?, ?)", {former, nonce_in_head(back.echo)});
      more += Sql(" AND position(? in head) > 0 AND next = " + next, {former});
    }
    return count_by(changes, back) + more + kReturning;
  }

  Sql sql_of(const WriteHead& head) const {
    if (!head.head_nonce) {
      return insert(head.record, "SELECT ",
                    " WHERE EXISTS (" + namespace_of(head) + ") ON CONFLICT DO NOTHING" + kReturning);
    }
    Sql sql = "UPDATE " + table() + " SET " + SqlTables::set(values_of(head)) + conditions(head) +
              Sql(" AND position(? in head) > 0", {nonce_in_head(*head.head_nonce)});
    // A late copy must not repair a row that was put back after this client had read it.
    const std::string as_read = " OR CAST(" + std::string(kCounters) + ".xmin AS text) = ?";
    if (head.sets_next) sql += " AND (" + is_intact() + Sql(as_read + ")", {version()});
    else sql += " AND " + is_intact();
    return sql + kReturning;
  }

  static std::string nonce_in_head(const Word& nonce) { return ";nonce=" + lease::to_text(nonce) + ";"; }

  // Returns an UPDATE of the counted fields. The nonce becomes the echo.
  Sql count_by(const Sql& changes, const Request& request) const {
    Sql sql = "UPDATE " + table() + " SET " + changes + Sql(", nonce = ?", {lease::to_text(request.echo)});
    for (const auto& [column, expression] : tables().words().more_values) {
      sql += ", ";
      sql += column;
      sql += " = ";
      sql += expression;
    }
    return sql + conditions(request) + Sql(" AND incarnation = ?", {request.incarnation}) + " AND " + is_intact();
  }

  Sql conditions(const Request& request) const {
    return where() + Sql(" AND term = ?", {lease::to_text(request.term)}) +
           Sql(std::string(" AND ") + postgresql::kIncarnation + " = ?", {request.incarnation}) + " AND EXISTS (" +
           namespace_of(request) + ")";
  }

  std::string is_intact() const { return tables().words().is_intact(kCounters); }
  std::string version_column() const override { return "CAST(c.xmin AS text)"; }

  static constexpr const char* kReturning = " RETURNING next AS first, room";

  Write write_;  // the present one
};

}  // namespace

std::unique_ptr<Dialect> stores::postgresql(const Place& place) { return std::make_unique<PostgreSql>(place); }

}  // namespace polyflake::count
