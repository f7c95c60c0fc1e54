// Refusals: why a request gets no id. A refusal has a code of the table in error.hpp, or one of the
// server's own.
#pragma once

#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace polyflake::server {

struct Refusal {
  enum class Kind {
    bad_request,  // the client asked for something that no server gives
    unknown_key,  // no generator or counter has this name
    busy,         // the wait would be longer than max_wait_ms, or the replies too large
    unavailable,  // the clock, the registry or the store gives no ids at present
  } kind;
  std::string code;
  std::string message;
  std::int64_t retry_after_s = 1;  // if it is busy
};

// Returns all codes that a refusal may have, and `other`: those of error.hpp and the server's own.
const std::vector<std::string_view>& refusal_codes();

// Returns this code out of refusal_codes(), or `other`, which text of a client would be.
std::string_view known_code(std::string_view code);

// Returns the refusal that an exception of the core means; of any other exception `internal`.
Refusal refusal_of(const std::exception& failure);

Refusal bad_request(std::string message);
Refusal unknown_key(std::string message);
Refusal busy(std::string message);

// Returns why n ids are not given to one request, if they are not. given: n as the client wrote it.
std::optional<Refusal> refusal_of_batch(std::uint64_t n, std::uint32_t max_batch, const std::string& given);

}  // namespace polyflake::server
