// HTTP/1.1: ids, their parts and the state of the server as JSON. With `leaf`, also the paths of
// Meituan's Leaf, for its clients.
//
//   POST      /v1/ids/{key} ?n= &after=          ids of a generator or numbers of a counter
//   GET HEAD  /v1/decode/{id} ?layout=           the parts of an id
//             /v1/generators /livez /readyz
//             /metrics                           the text format of Prometheus
//   any       /api/snowflake/get/{key}           Leaf's: one id
//             /api/segment/get/{key}             one number of a counter
//             /decodeSnowflakeId ?snowflakeId=   the parts of an id
//
// Errors are {"code":"...","message":"..."}. Codes are those of error.hpp and refusal.hpp, and
// batch_too_large, not_found, method_not_allowed, token_missing, token_wrong, forbidden, and
// bad_request for bytes that are not HTTP, or too many.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "access/access.hpp"
#include "http/http_message.hpp"
#include "http/http_refusal.hpp"
#include "http/http_reply.hpp"
#include "http/http_routes.hpp"
#include "http/http_target.hpp"
#include "network/protocol.hpp"

namespace polyflake::server {

class Http final : public Protocol {
 public:
  // service, gate: must outlive it. leaf: serve Leaf's paths. gate: of the tokens that clients
  // need; null: they need none.
  Http(const Service& service, bool leaf, Gate* gate = nullptr) : service_(service), leaf_(leaf), gate_(gate) {}

  const char* name() const override { return "http"; }
  Request read(std::string_view input) override;
  std::string_view answer(const Request& request, std::string& out) override;
  void give(const Request& request, const std::uint64_t* ids, std::string& out) override;
  void refuse(const Request& request, const Refusal& refusal, std::string& out) override;
  std::size_t bytes_per_id() const override { return kLongestIdInReply; }
  void refuse_connection(std::string& out) override;

 private:
  void read_request(const HttpMessage& message, Request& request);
  void read_ids(const HttpRoute& route, std::string_view word, const HttpValues& values, const Right& right,
                Request& request) const;
  void append_answer(HttpReply reply, const HttpManner& manner, std::string& out) const;

  const Service& service_;
  const bool leaf_;
  Gate* const gate_;
  std::string buffer_;

  // They belong to the request that was read last; answer() needs them.
  HttpRefusal refusal_;
  std::string id_;
  std::optional<std::string> layout_;
};

}  // namespace polyflake::server
