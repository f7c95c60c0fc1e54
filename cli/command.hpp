// The command line, for the programs that host it: the C++ program, and those of Python, Node and Java.
//
//   Command command(arguments);
//   while (const auto request = command.step()) {
//     ... command.deliver(rows), or command.fail(code, message)
//   }
//   return command.exit_code();
//
// It reads file descriptor 0 and writes 1 and 2. What needs a client of a store is asked of the host: step() says what, with
// everything written so far shown. Not thread safe.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace polyflake::cli {

struct Request {
  // "next": ids from a generator that keeps its node id until the command has ended; rows: one id each.
  // "leases": who holds node ids; rows: node id, Unix ms, label. "init": rows: the uuid. "raise_floor", "lower_floor": no rows.
  std::string operation;
  std::string store;   // its address
  std::string layout;  // text or preset
  std::vector<std::string>
      arguments;  // next: how many ids. init: "fresh" or nothing. raise_floor, lower_floor: Unix ms
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

  // Goes on to the next request; nothing once the command has ended. Blocks for I/O. Never throws but for lack of memory.
  std::optional<Request> step();

  // How the last request went: to be called once before the next step().
  void deliver(Rows rows);
  // code: of the table of error.hpp, "" for what is none of ours.
  void fail(const std::string& code, const std::string& message);

  // Once step() has returned nothing: one of kExitCodes in program.hpp.
  int exit_code() const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace polyflake::cli
