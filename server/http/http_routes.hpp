// The paths of HTTP: which there are, and what each takes.
#pragma once

#include <cstdint>
#include <string_view>

#include "http/http_message.hpp"
#include "http/http_target.hpp"

namespace polyflake::server {

enum class HttpReply : std::uint8_t {
  // These give ids; Accept chooses between the first three.
  json,
  lines,
  bytes,
  leaf_id,
  // These need none.
  refusal,
  live,
  ready,
  generators,
  metrics,
  decoded,
  leaf_decoded,
};

enum class HttpMethods : std::uint8_t {
  post,  // for what must not be kept or repeated by a cache
  get,   // and HEAD
  any,
};

// The right that a client needs if the listener has tokens.
enum class HttpNeeds : std::uint8_t {
  nothing,  // load balancers have no token
  token,
  inspect,  // for what tells how many ids are taken
};

struct HttpRoute {
  std::string_view path;  // if it ends in '/', a word follows: a key or an id
  HttpReply reply;
  HttpMethods methods;
  HttpNeeds needs;
  HttpParameters parameters;
  bool is_leafs = false;        // for Leaf's clients: other parameters and bodies are not looked at
  bool is_of_counters = false;  // its word is the name of a counter

  bool has_word() const { return path.back() == '/'; }
};

// Returns the route of a path. leaf: Leaf's are known. Errors: HttpRefusal.
const HttpRoute& route_of(std::string_view path, bool leaf);

// Errors: HttpRefusal, for a method that the route does not have.
void check_method(const HttpRoute& route, HttpMethod method);

}  // namespace polyflake::server
