// Refusals that only HTTP has, beside those in refusal.hpp: each has a status of its own.
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <utility>

#include "ids/refusal.hpp"

namespace polyflake::server {

// Thrown while a request is read or a page is written; the reply tells the client.
class HttpRefusal : public std::exception {
 public:
  HttpRefusal() = default;
  HttpRefusal(unsigned status, std::string_view code, std::string message, std::string_view allow = {})
      : status_(status), code_(code), message_(std::move(message)), allow_(allow) {}
  explicit HttpRefusal(Refusal refusal) : HttpRefusal(status_of(refusal.kind), std::move(refusal)) {}
  // The same with another status.
  HttpRefusal(unsigned status, Refusal refusal)
      : status_(status),
        code_(std::move(refusal.code)),
        message_(std::move(refusal.message)),
        retry_after_s_(refusal.retry_after_s) {}

  static unsigned status_of(Refusal::Kind kind) {
    switch (kind) {
      case Refusal::Kind::bad_request: return 400;
      case Refusal::Kind::unknown_key: return 404;
      case Refusal::Kind::busy: return 429;
      case Refusal::Kind::unavailable: return 503;
    }
    return 503;
  }

  unsigned status() const { return status_; }
  const std::string& code() const { return code_; }
  const std::string& message() const { return message_; }
  const char* what() const noexcept override { return message_.c_str(); }
  // The methods that the path has, for a reply of 405; else "".
  std::string_view allow() const { return allow_; }
  // When to ask again, for a reply of 429.
  std::int64_t retry_after_s() const { return retry_after_s_; }

 private:
  unsigned status_ = 400;
  std::string code_;
  std::string message_;
  std::string_view allow_;  // of static text
  std::int64_t retry_after_s_ = 1;
};

}  // namespace polyflake::server
