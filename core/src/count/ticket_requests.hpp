// Requests to one ticket server: the statements, and the meaning of their replies.
//
// Commands:
//
//   statements    {text}; reply: rows
//   insert        {text}..., in this order on one connection
//                 reply: one row with the insert id that the reply to the last one had
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "lease/store_session.hpp"

namespace polyflake::count {

// Errors: option_invalid for a number of servers, or a timeout, that is out of range.
void check_ticket_servers(std::size_t count, std::int64_t timeout_ms);

// Returns the name of a table for SQL. text: "table" or "database.table", each name 1 to 64
// letters, digits, '_' and '$'. Errors: option_invalid.
std::string ticket_table(std::string_view text);

// Tells a server its residue class with the statement itself (MariaDB from 10.5), or for the
// session.
enum class TicketSyntax { statement, session };

// version: the result of VERSION().
TicketSyntax ticket_syntax_of(std::string_view version);

// The side that wants a number of one server.
class TicketAsker {
 public:
  virtual ~TicketAsker() = default;
  virtual bool wants_number() = 0;
  // Returns true if the session must be set again and the server asked once more.
  virtual bool answered(std::uint64_t number) = 0;
  // Nothing came of the statement, and the server is asked again at once: it undid it, so that
  // another client could go on; the connection had ended while it was idle; or the call was
  // interrupted.
  virtual void undone(const std::string& reason) = 0;
  virtual void failed(const std::string& reason) = 0;
};

struct TicketServer {
  std::size_t number;  // 1 to count
  std::size_t count;
  std::string table;  // for SQL
};

// Returns the requests for numbers, each a write. syntax: for tests; else that of the server.
std::unique_ptr<lease::Requests> ticket_requests(std::shared_ptr<TicketAsker> asker, TicketServer server,
                                                 std::optional<TicketSyntax> syntax);

}  // namespace polyflake::count
