// Turns requests to a store into commands that an adapter sends, and replies into answers.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lease/dialect.hpp"
#include "lease/machine.hpp"
#include "lease/zone_time.hpp"

namespace polyflake::lease {

// Requests of one asker, in the language of its store. Requires: after a request begin(), then a
// reply to each command, or fail().
class Requests {
 public:
  virtual ~Requests() = default;

  struct Next {
    enum class Kind { read, write, offset, sleep, failed, done } kind = Kind::sleep;
    std::int64_t mono_ms = 0;   // of a sleep: its end
    bool makes_tables = false;  // a write whose record needs the tables or folders of the store
    ZoneTime time{};            // of an offset, which the caller tells the asker
  };
  virtual Next next() = 0;

  // Returns the first command of the request.
  virtual Command begin() = 0;
  // The effect of a reply: another command, or the asker was told. is_ours: false if the reply
  // answers another request, and so would all that follow on its connection.
  struct Taken {
    std::optional<Command> command;
    bool is_ours = true;
  };
  // Errors: store_unavailable if the reply is not understood; then the asker was not told.
  virtual Taken take(const Reply& reply) = 0;

  // Each tells the asker: nothing came; the tables are missing, so nothing is recorded; the store
  // undid the write.
  virtual void fail(const std::string& reason) = 0;
  virtual void find_nothing() = 0;
  virtual void undone(const std::string& reason) { fail(reason); }

  // Returns true if the asker makes a missing namespace. Then a read makes missing tables first, so
  // that it learns which store this is.
  virtual bool makes_namespace() const { return false; }
  // Returns the next command of a read that met missing tables; nothing if that tells all.
  virtual std::optional<Command> without_tables() { return std::nullopt; }
  virtual const StoreTraits& store() const = 0;
};

// Thread safety: one call at a time.
class StoreSession {
 public:
  explicit StoreSession(std::unique_ptr<Requests> requests) : requests_(std::move(requests)) {}

  // The next step: a command of this number, or offset, sleep, failed, done.
  struct Step {
    std::uint64_t number = 0;
    std::optional<Command> command;
    Requests::Next next{};
  };
  // Returns the next step. While a command awaits its reply or failure, that is `sleep`.
  Step step();

  // Returns false if the connection of the reply must be closed: the reply is not understood, or
  // answers another request, and so would all that follow. Ignores replies to any command but the
  // last.
  bool deliver(std::uint64_t number, const Reply& reply);
  // code: that of the store (an SQLSTATE), "" if there is none.
  void fail(std::uint64_t number, const std::string& code, const std::string& what);

  // Forgets the command that awaits its reply, if there is one, since its runner was interrupted.
  void interrupted();

  const StoreTraits& store() const { return requests_->store(); }

 private:
  void begin();
  void prepare();
  void miss_tables();

  const std::unique_ptr<Requests> requests_;
  Requests::Next request_;            // in progress
  std::vector<Command> preparation_;  // to be carried out before it, the first one last
  std::optional<Command> command_;    // to be handed out
  std::uint64_t number_ = 0;
  bool awaiting_ = false;
  bool preparing_ = false;
  bool read_again_ = false;   // after preparing, since the tables were missing
  std::string not_prepared_;  // the reason, if preparing failed
};

// The side that asks: a lease, or a task.
class Asker {
 public:
  virtual ~Asker() = default;
  virtual Action next() = 0;
  virtual void deliver(std::uint64_t number, const Contents& contents) = 0;
  virtual void deliver(std::uint64_t number, const Answer& answer) = 0;
  virtual void deliver_nothing(std::uint64_t number, const std::string& reason) = 0;
  // As that of Requests.
  virtual bool makes_namespace() const { return false; }
  // Returns true if it opens a generator: its caller should get the store's warnings.
  virtual bool opens() const { return false; }
};

// Returns what an action of an asker is to a session.
Requests::Next next_of(const Action& action);

// Returns the requests of a lease or task. Requires: the asker lasts as long.
std::unique_ptr<Requests> requests_of(Asker& asker, std::unique_ptr<Dialect> dialect);

}  // namespace polyflake::lease
