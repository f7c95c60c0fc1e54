// Requests of HTTP as bytes: how long one is, and what its head says. Beast's parser reads it; what
// that lets pass, and one server could read otherwise than the next, is refused here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "http/http_accept.hpp"

namespace polyflake::server {

enum class HttpMethod { get, head, post, other };

// Views of the input.
struct HttpMessage {
  std::size_t length = 0;  // bytes that it took; 0: not whole yet
  HttpMethod method = HttpMethod::other;
  std::string_view target;
  IdsForm form = IdsForm::json;
  bool keeps_alive = false;
  bool is_http10 = false;
  bool has_body = false;           // no request needs one
  std::size_t authorizations = 0;  // fields Authorization
  std::string_view authorization;  // the last of them
};

// Returns the first request of the input. Its head has at most 8 KiB, its body 64 KiB. A body in
// chunks has at most 8 KiB with sizes and trailers: it is read from its beginning each time that a
// piece of it comes.
// Errors: HttpRefusal, after which nothing else can be read.
HttpMessage read_message(std::string_view input);

// Returns true if the input begins like a request of HEAD, whole and valid or not.
bool begins_like_head(std::string_view input);

}  // namespace polyflake::server
