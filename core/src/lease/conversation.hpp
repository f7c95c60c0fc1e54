// From what is asked of a store to commands that an adapter carries there, and back.
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

// Who asks: a lease, or a task.
class Asker {
 public:
  virtual ~Asker() = default;
  virtual Action next() = 0;
  virtual void deliver(std::uint64_t number, const Contents& contents) = 0;
  virtual void deliver(std::uint64_t number, const Answer& answer) = 0;
  virtual void deliver_nothing(std::uint64_t number, const std::string& reason) = 0;
  // Where there is no namespace it will make one: then a read makes the tables first, so that it is told which store this is.
  virtual bool makes_namespace() const { return false; }
  // Opens a generator: its caller is to hear the warnings of the store.
  virtual bool opens() const { return false; }
};

// Thread safety: one call at a time.
class Conversation {
 public:
  Conversation(std::unique_ptr<Dialect> dialect, Asker& asker) : dialect_(std::move(dialect)), asker_(asker) {}

  // What is to be done now: a command of this number, or what else the asker said: sleep, failed, done.
  struct Step {
    std::uint64_t number = 0;
    std::optional<Command> command;
    Action action{};
  };
  // Until the command's reply or failure was given, another one is not begun: sleep.
  Step step();

  // Returns false if the connection that the reply came on is to be closed: the reply is not understood, or answers another
  // request, and so would all that follow. Replies to another command than the last are ignored.
  bool deliver(std::uint64_t number, const Reply& reply);
  // code: that of the store (an SQLSTATE), "" where there is none.
  void fail(std::uint64_t number, const std::string& code, const std::string& what);

  const Dialect& dialect() const { return *dialect_; }

 private:
  void begin(const Action& action);
  void prepare();
  void miss_tables();
  bool take(const Reply& reply);

  const std::unique_ptr<Dialect> dialect_;
  Asker& asker_;
  Action action_;                     // what is being asked
  std::vector<Command> preparation_;  // to be carried out before it, the first one last
  std::optional<Command> command_;    // to be handed out
  std::uint64_t number_ = 0;
  bool awaiting_ = false;
  bool preparing_ = false;
  bool read_again_ = false;   // after preparing, since the tables were missing
  std::string not_prepared_;  // why, if that failed
};

}  // namespace polyflake::lease
