#include "http/http_routes.hpp"

#include <algorithm>
#include <iterator>

#include "http/http_refusal.hpp"

namespace polyflake::server {
namespace {

constexpr HttpRoute kRoutes[] = {
    {"/v1/ids/", HttpReply::json, HttpMethods::post, HttpNeeds::token, {"n", "after"}},
    {"/v1/decode/", HttpReply::decoded, HttpMethods::get, HttpNeeds::inspect, {"layout"}},
    {"/v1/generators", HttpReply::generators, HttpMethods::get, HttpNeeds::inspect, {}},
    {"/livez", HttpReply::live, HttpMethods::get, HttpNeeds::nothing, {}},
    {"/readyz", HttpReply::ready, HttpMethods::get, HttpNeeds::nothing, {}},
    {"/metrics", HttpReply::metrics, HttpMethods::get, HttpNeeds::inspect, {}},
    {"/api/snowflake/get/", HttpReply::leaf_id, HttpMethods::any, HttpNeeds::token, {}, true},
    {"/api/segment/get/", HttpReply::leaf_id, HttpMethods::any, HttpNeeds::token, {}, true, true},
    {"/decodeSnowflakeId", HttpReply::leaf_decoded, HttpMethods::any, HttpNeeds::inspect, {"snowflakeId"}, true},
};

bool leads_to(std::string_view path, const HttpRoute& route) {
  if (!route.has_word()) return path == route.path;
  return path.size() > route.path.size() && path.substr(0, route.path.size()) == route.path &&
         path.find('/', route.path.size()) == std::string_view::npos;
}

}  // namespace

const HttpRoute& route_of(std::string_view path, bool leaf) {
  const auto* const found = std::find_if(std::begin(kRoutes), std::end(kRoutes), [&](const HttpRoute& route) {
    return (leaf || !route.is_leafs) && leads_to(path, route);
  });
  if (found != std::end(kRoutes)) return *found;
  throw HttpRefusal(404, "not_found",
                    "Nothing is at this path. There are POST /v1/ids/{key}, GET /v1/decode/{id}, /v1/generators, "
                    "/livez, /readyz and /metrics.");
}

void check_method(const HttpRoute& route, HttpMethod method) {
  if (route.methods == HttpMethods::post && method != HttpMethod::post)
    throw HttpRefusal(405, "method_not_allowed",
                      "Ids are given to POST alone: a cache or a proxy may keep or repeat the answer to any other "
                      "method. Send POST.",
                      "POST");
  if (route.methods == HttpMethods::get && method != HttpMethod::get && method != HttpMethod::head)
    throw HttpRefusal(405, "method_not_allowed", "This path is read. Send GET or HEAD.", "GET, HEAD");
}

}  // namespace polyflake::server
