// Replies of HTTP as bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "http/http_accept.hpp"
#include "http/http_refusal.hpp"

namespace polyflake::server {

// The manner of a reply: how its connection goes on, and whether the body is left out.
struct HttpManner {
  bool closes = false;
  bool says_keep_alive = false;  // to HTTP/1.0, which closes unless it is told
  bool has_no_body = false;      // HEAD
};

// Append a whole reply.
void append_page(std::string_view body, unsigned status, const HttpManner& manner, std::string& out,
                 std::string_view type = "application/json");
void append_refusal(const HttpRefusal& refusal, const HttpManner& manner, std::string& out);
void append_ids(const std::uint64_t* ids, std::size_t count, IdsForm form, const HttpManner& manner, std::string& out);
// One id without a line's end, as Leaf writes it.
void append_leaf_id(std::uint64_t id, const HttpManner& manner, std::string& out);

// Returns the most bytes that an id takes in any form.
constexpr std::size_t kLongestIdInReply = 23;  // JSON: 20 digits, two quotes, a comma

}  // namespace polyflake::server
