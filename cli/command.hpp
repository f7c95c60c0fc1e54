// The command line, for its host programs: the C++ program, and those of Python, Node and Java.
//
//   Command command(arguments);
//   while (const auto request = command.step()) {
//     ... command.deliver(rows), or command.fail(code, message)
//   }
//   return command.exit_code();
//
// It reads file descriptor 0 and writes 1 and 2. For work that needs a client of a store it asks
// the host: step() returns the request, after all output so far is shown. Thread safety: none.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace polyflake::cli {

struct Request {
  // "next": ids from a generator that keeps its node id until the command has ended; rows: one id
  // each. "leases": the holders of node ids; rows: node id, Unix ms, label. "init": rows: the UUID.
  // "raise_floor", "lower_floor", "init_counter", "raise_counter": no rows. "counters": the
  // counters; rows: the members of CounterState in their order, "true" or "false" for a bool, ""
  // for nothing.
  std::string operation;
  std::string store;   // its address
  std::string layout;  // text or preset; "" for counters
  // next: how many ids. init: "fresh" or nothing. raise_floor, lower_floor: Unix ms.
  // init_counter: "name=value" for `after`, each `name`, and options of counters. raise_counter:
  // its name, `after`, its period or "".
  std::vector<std::string> arguments;
};

using Row = std::vector<std::string>;
using Rows = std::vector<Row>;

class Command {
 public:
  // arguments: without the name of the program.
  explicit Command(std::vector<std::string> arguments);
  ~Command();
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;

  // Runs to the next request; returns nothing once the command has ended. Blocks for I/O. Never
  // throws, except for lack of memory.
  std::optional<Request> step();

  // Report the result of the last request. Requires: one call before the next step().
  void deliver(Rows rows);
  // code: from the table of error.hpp, "" for other errors.
  void fail(const std::string& code, const std::string& message);

  // Returns one of kExitCodes in program.hpp, once step() has returned nothing.
  int exit_code() const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace polyflake::cli
