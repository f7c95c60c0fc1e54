// Turns requests to a store into commands that an adapter sends, and replies into answers.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "lease/dialect.hpp"
#include "lease/machine.hpp"

namespace polyflake::lease {

// The side that asks: a lease, or a task.
class Asker {
 public:
  virtual ~Asker() = default;
  virtual Action next() = 0;
  virtual void deliver(std::uint64_t number, const Contents& contents) = 0;
  virtual void deliver(std::uint64_t number, const Answer& answer) = 0;
  virtual void deliver_nothing(std::uint64_t number, const std::string& reason) = 0;
  // Returns true if it makes a missing namespace. Then a read makes missing tables first, so that
  // it learns which store this is.
  virtual bool makes_namespace() const { return false; }
  // Returns true if it opens a generator: its caller should get the store's warnings.
  virtual bool opens() const { return false; }
};

// Thread safety: one call at a time.
class StoreSession {
 public:
  StoreSession(std::unique_ptr<Dialect> dialect, Asker& asker) : dialect_(std::move(dialect)), asker_(asker) {}

  // The next step: a command of this number, or another action of the asker: sleep, failed, done.
  struct Step {
    std::uint64_t number = 0;
    std::optional<Command> command;
    Action action{};
  };
  // Returns the next step. While a command awaits its reply or failure, that is `sleep`.
  Step step();

  // Returns false if the connection of the reply must be closed: the reply is not understood, or
  // answers another request, and so would all that follow. Ignores replies to any command but the
  // last.
  bool deliver(std::uint64_t number, const Reply& reply);
  // code: that of the store (an SQLSTATE), "" if there is none.
  void fail(std::uint64_t number, const std::string& code, const std::string& what);

  const Dialect& dialect() const { return *dialect_; }

 private:
  void begin(const Action& action);
  void prepare();
  void miss_tables();
  bool take(const Reply& reply);

  const std::unique_ptr<Dialect> dialect_;
  Asker& asker_;
  Action action_;                     // the request in progress
  std::vector<Command> preparation_;  // to be carried out before it, the first one last
  std::optional<Command> command_;    // to be handed out
  std::uint64_t number_ = 0;
  bool awaiting_ = false;
  bool preparing_ = false;
  bool read_again_ = false;   // after preparing, since the tables were missing
  std::string not_prepared_;  // the reason, if preparing failed
};

}  // namespace polyflake::lease
