// Ticket servers: numbers of tables that databases already have, over the language's own client.
//
// A package makes a TicketCall for each number, and asks it what to do until there is one. Each
// server has a StoreSession, which a runner carries on with one step() for each "ask"
// (core/src/count/ticket_requests.hpp describes its commands). A call that ends lets others go on:
// the package then wakes those that wait.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <polyflake/stats.hpp>

#include "facade/lease.hpp"
#include "facade/source.hpp"

namespace polyflake::facade {

// Returns a text that no other call in this process gets: it names a client of the user's own.
std::string new_ticket_client();

struct TicketStep {
  std::string what;           // "number", "ask" or "wait"
  std::int64_t number = 0;    // "number": the id
  std::int64_t server = 0;    // "ask": 1 or more; no other call asks it until the next step()
  std::int64_t limit_ms = 0;  // "ask": for its next command; "wait": at most, until the next step()
};

// A call for one number. Thread safety: one call at a time.
class TicketCall {
 public:
  // Returns the next thing to do. Errors: store_unavailable, store_misconfigured, store_went_back.
  TicketStep step();
  // Gives up; does nothing once there is a number or an error.
  void end() noexcept;

 private:
  friend class TicketServers;
  struct Work;
  explicit TicketCall(std::shared_ptr<Work> work);
  std::shared_ptr<Work> work_;
};

// A conversation with one server.
class TicketSession : public StoreSession {
 private:
  friend class TicketServers;
  explicit TicketSession(std::shared_ptr<State> state) : StoreSession(std::move(state)) {}
};

// A source of the numbers of ticket servers. Sources with equal clients and table share what is
// known of the servers, for the life of the process; a copy of the process knows nothing. Thread
// safety: any thread.
class TicketServers {
 public:
  // clients: of each server its address, or a text of new_ticket_client(); shown: each for people,
  // without credentials. Errors: option_invalid.
  TicketServers(const std::vector<std::string>& clients, const std::vector<std::string>& shown,
                const std::string& table, std::int64_t timeout_ms);

  // Begins a call, which may last more_ms beyond timeout_ms. Errors: generator_closed.
  TicketCall call(std::int64_t more_ms) const;
  // Returns a conversation with a server, 1 or more. A copy of the process needs new ones. syntax:
  // "statement" or "session", for tests; "" is that of the server. Errors: option_invalid.
  TicketSession session(std::int64_t server, const std::string& syntax) const;

  GeneratorState state() const;
  polyflake::Stats stats() const;
  void close() noexcept;
  bool closed() const noexcept;

 private:
  struct Opened;
  std::shared_ptr<Opened> opened_;
};

// The rules alone, for the vectors.
class TicketRules {
 public:
  explicit TicketRules(std::int64_t count);
  // Returns the server to ask; 0 if there is none.
  std::int64_t next(std::int64_t mono_ms);
  // Returns the number, "again" or an error code.
  std::string answered(std::int64_t server, const std::string& number);
  void failed(std::int64_t server, std::int64_t mono_ms);

 private:
  struct Rules;
  std::shared_ptr<Rules> rules_;
};

}  // namespace polyflake::facade
