// RESP 2, the protocol of Redis: commands as bytes, and one reply as it comes in. Sans-I/O.
// Source: redis.io/docs/reference/protocol-spec.
#pragma once

#include <polyflake/command.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace polyflake::resp {

// Returns the bytes of a command.
std::string command(const std::vector<std::string>& words);

// The reply to one command: a value, or a list of values.
class Reply {
 public:
  // Takes the next bytes. Returns true once the reply is complete. Errors: lease::CommandFailure,
  // with the first word as the code if Redis reports an error; with the code "" if this is no
  // reply, a list within a list, longer than 64 MiB, or followed by other bytes.
  bool take(std::string_view bytes);

  // Returns the values, of which a null is nothing. Requires: the reply is complete.
  const lease::Row& values() const { return values_; }

 private:
  bool take_value();
  bool take_text(std::size_t from, std::string_view length);
  void begin_list(std::string_view length);

  std::string bytes_;
  std::size_t at_ = 0;       // of the next value
  std::size_t missing_ = 1;  // values to come
  bool is_list_ = false;
  lease::Row values_;
};

}  // namespace polyflake::resp
