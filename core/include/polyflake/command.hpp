// Commands to a store, as a carrier (carrier.hpp) sends them, and the replies.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace polyflake::lease {

// A carrier sends the parts unchanged. The first lines of core/src/lease/<kind>.cpp list the names
// of the commands of a kind of store, their parts and the rows of their replies.
struct Command {
  std::string name;
  std::vector<std::vector<std::string>> parts;
};

using Row = std::vector<std::optional<std::string>>;  // nothing: null
using Reply = std::vector<Row>;

// The failure of a command: it was refused, or it is unknown what came of it.
class CommandFailure : public std::runtime_error {
 public:
  // code: the store's code of the error, such as an SQLSTATE or NOAUTH; else the system's name,
  // such as ECONNREFUSED; "" if there is none. The lease machinery knows by it that tables are
  // missing. reason: for people, without secrets.
  CommandFailure(std::string code, const std::string& reason) : std::runtime_error(reason), code_(std::move(code)) {}
  const std::string& code() const noexcept { return code_; }

 private:
  std::string code_;
};

}  // namespace polyflake::lease
