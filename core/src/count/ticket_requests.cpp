#include "count/ticket_requests.hpp"

#include <polyflake/error.hpp>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/ascii.hpp"
#include "base/range_check.hpp"
#include "lease/mysql.hpp"
#include "lease/reply.hpp"

namespace polyflake::count {
namespace {

constexpr std::size_t kLongestSqlName = 64;  // of MySQL

bool is_sql_name(std::string_view text) {
  return !text.empty() && text.size() <= kLongestSqlName && std::all_of(text.begin(), text.end(), [](char c) {
    return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ascii::is_digit(c) || c == '_' || c == '$';
  });
}

std::string in_backticks(std::string_view name) { return "`" + std::string(name) + "`"; }

class TicketTraits final : public lease::StoreTraits {
 public:
  explicit TicketTraits(const TicketServer& server) : server_(server) {}

  // A statement that waits for a lock is undone before the time of its call is over.
  std::vector<std::string> setup() const override {
    // A client of the user's own may have begun a transaction, which autocommit does not end.
    return {"ROLLBACK", "SET SESSION autocommit = 1, innodb_lock_wait_timeout = 1"};
  }
  bool is_undone(const std::string& code) const override { return lease::mysql::is_undone(code); }
  std::string advice(const std::string& code) const override {
    if (lease::mysql::is_missing(code))
      return "there is no table " + server_.table + ": see CREATE TABLE in docs/tickets.md";
    if (code != "1227") return lease::advice_on(code);
    return "this user may not set auto_increment_increment = " + std::to_string(server_.count) +
           " and auto_increment_offset = " + std::to_string(server_.number) +
           " for a session: grant SESSION_VARIABLES_ADMIN, or set both in the configuration of the server";
  }

 private:
  const TicketServer& server_;
};

class OneServerRequests final : public lease::Requests {
 public:
  OneServerRequests(std::shared_ptr<TicketAsker> asker, TicketServer server, std::optional<TicketSyntax> syntax)
      : asker_(std::move(asker)), server_(std::move(server)), given_(syntax), traits_(server_) {}

  Next next() override { return {asker_->wants_number() ? Next::Kind::write : Next::Kind::sleep}; }

  lease::Command begin() override {
    was_idle_ = syntax_.has_value();
    if (syntax_) return insert(false);
    // Asked on each new connection, which may lead to another server than the last one.
    return {"statements", {{"SELECT VERSION(), @@auto_increment_increment, @@auto_increment_offset"}}};
  }

  Taken take(const lease::Reply& reply) override {
    if (reply.size() != 1) lease::misunderstood("one row is due");
    was_idle_ = false;
    const lease::Row& row = reply.front();
    if (!syntax_) {
      syntax_ = given_ ? *given_ : ticket_syntax_of(lease::text_at(row, 0));
      const bool is_set = lease::text_at(row, 1) == count() && lease::text_at(row, 2) == number();
      return {insert(!is_set)};
    }
    // A table without AUTO_INCREMENT gives none.
    const auto found = row.empty() || !row.front() ? std::nullopt : ascii::decimal(*row.front());
    if (asker_->answered(found.value_or(0))) return {insert(true)};
    return {};
  }

  // After a failure the adapter opens another connection. One that was idle may have ended long
  // ago, which says nothing of the server; at worst the number of its statement is left out.
  void fail(const std::string& reason) override {
    syntax_.reset();
    if (std::exchange(was_idle_, false)) asker_->undone(reason);
    else asker_->failed(reason);
  }
  void undone(const std::string& reason) override {
    syntax_.reset();
    asker_->undone(reason);
  }
  void find_nothing() override {}  // only reads find something
  const lease::StoreTraits& store() const override { return traits_; }

 private:
  std::string count() const { return std::to_string(server_.count); }
  std::string number() const { return std::to_string(server_.number); }

  // set: sets the session, too, where the statement itself does not.
  lease::Command insert(bool set) const {
    const std::string settings = "auto_increment_increment = " + count() + ", auto_increment_offset = " + number();
    const std::string replace = "REPLACE INTO " + server_.table + " (stub) VALUES ('a')";
    if (*syntax_ == TicketSyntax::statement) return {"insert", {{"SET STATEMENT " + settings + " FOR " + replace}}};
    if (!set) return {"insert", {{replace}}};
    return {"insert", {{"SET SESSION " + settings}, {replace}}};
  }

  const std::shared_ptr<TicketAsker> asker_;
  const TicketServer server_;
  const std::optional<TicketSyntax> given_;
  const TicketTraits traits_;
  bool was_idle_ = false;               // the connection, until the first reply to this request
  std::optional<TicketSyntax> syntax_;  // of the server at the other end of the connection
};

}  // namespace

void check_ticket_servers(std::size_t count, std::int64_t timeout_ms) {
  constexpr std::size_t kMostServers = 64;
  if (count == 0) throw Error(ErrorCode::option_invalid, "kind 'ticket' needs a store: a list of the ticket servers");
  in_range<std::size_t>("the number of ticket servers", count, 1, kMostServers);
  in_range<std::int64_t>("timeout_ms", timeout_ms, 1, INT32_MAX);
}

std::string ticket_table(std::string_view text) {
  const std::size_t dot = std::min(text.find('.'), text.size());
  const std::string_view first = text.substr(0, dot), second = text.substr(std::min(dot + 1, text.size()));
  if (is_sql_name(first) && dot == text.size()) return in_backticks(first);
  if (is_sql_name(first) && is_sql_name(second)) return in_backticks(first) + "." + in_backticks(second);
  throw Error(
      ErrorCode::option_invalid,
      "table " + quoted(text) + ": a table is due, or database.table, each name 1 to 64 letters, digits, '_' and '$'");
}

TicketSyntax ticket_syntax_of(std::string_view version) {
  constexpr std::string_view kOfProxies = "5.5.5-";  // before the version of a MariaDB
  constexpr std::uint64_t kMajor = 10, kMinor = 5;
  if (version.find("MariaDB") == std::string_view::npos) return TicketSyntax::session;
  if (version.substr(0, kOfProxies.size()) == kOfProxies) version.remove_prefix(kOfProxies.size());
  const auto number_up_to = [&version](char end) {
    const std::size_t length = std::min(version.find(end), version.size());
    const auto number = ascii::decimal(version.substr(0, length));
    version.remove_prefix(std::min(length + 1, version.size()));
    return number.value_or(0);
  };
  const std::uint64_t major = number_up_to('.'), minor = number_up_to('.');
  const bool has_statement = major > kMajor || (major == kMajor && minor >= kMinor);
  return has_statement ? TicketSyntax::statement : TicketSyntax::session;
}

std::unique_ptr<lease::Requests> ticket_requests(std::shared_ptr<TicketAsker> asker, TicketServer server,
                                                 std::optional<TicketSyntax> syntax) {
  return std::make_unique<OneServerRequests>(std::move(asker), std::move(server), syntax);
}

}  // namespace polyflake::count
