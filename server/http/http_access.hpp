// Tokens in HTTP: what a request may do that has, or has not, the field `Authorization: Bearer`.
#pragma once

#include <string_view>

#include "access/access.hpp"
#include "http/http_message.hpp"
#include "http/http_routes.hpp"
#include "ids/queue.hpp"

namespace polyflake::server {

// The code of a refusal that tells of a secret that no token has.
inline constexpr std::string_view kTokenWrong = "token_wrong";

// Returns the right of a request to a path that needs one. Errors: HttpRefusal: 401 if it has none,
// and 403 if that is not enough.
Right right_to(const HttpRoute& route, const HttpMessage& message, const Gate& gate);

// Lets a request take ids of this queue. Errors: HttpRefusal, 403.
void check_key(const Right& right, const Queue& queue);

}  // namespace polyflake::server
