#include "http/http_access.hpp"

#include <algorithm>

#include <boost/beast/core/string.hpp>

#include "http/http_refusal.hpp"

namespace polyflake::server {
namespace {

constexpr std::string_view kScheme = "Bearer ";

// Returns the secret that a request has; "" if it has none.
std::string_view secret_of(const HttpMessage& message) {
  const std::string_view field = message.authorization;
  const std::string_view scheme = field.substr(0, kScheme.size());
  if (!boost::beast::iequals({scheme.data(), scheme.size()}, {kScheme.data(), kScheme.size()})) return {};
  return field.substr(scheme.size());
}

}  // namespace

Right right_to(const HttpRoute& route, const HttpMessage& message, const Gate& gate) {
  if (message.authorizations > 1)
    throw HttpRefusal(400, "bad_request", "The request has more than one field Authorization. Send one.");
  const std::string_view secret = secret_of(message);
  if (secret.empty())
    throw HttpRefusal(401, "token_missing",
                      "The request has no token. Send the field Authorization: Bearer, and behind it the secret.");
  const Right right = gate.right_of(secret);
  if (!right.holds())
    throw HttpRefusal(401, kTokenWrong, "No token of this listener has the secret that was sent. Send another one.");
  if (route.needs == HttpNeeds::token || right.may_inspect()) return right;
  throw HttpRefusal(403, "forbidden",
                    "The token '" + right.token() +
                        "' may not look at this. Use one that has inspect = true in the server's file of tokens.");
}

void check_key(const Right& right, const Queue& queue) {
  if (right.may_take(queue.name())) return;
  throw HttpRefusal(403, "forbidden",
                    "The token '" + right.token() + "' may not take ids of '" + queue.name() +
                        "'. Use one that has it among its keys in the server's file of tokens.");
}

}  // namespace polyflake::server
