#include "http/http_reply.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include <polyflake/text.hpp>

#include "http/json.hpp"

namespace polyflake::server {
namespace {

constexpr std::string_view kJson = "application/json";
constexpr std::string_view kText = "text/plain";
constexpr std::string_view kBytes = "application/octet-stream";

constexpr std::string_view kBegin = R"({"ids":[)";
constexpr std::string_view kEnd = "]}";

struct Status {
  unsigned code;
  std::string_view text;
};

constexpr Status kStatuses[] = {
    {200, "200 OK"},
    {400, "400 Bad Request"},
    {401, "401 Unauthorized"},
    {403, "403 Forbidden"},
    {404, "404 Not Found"},
    {405, "405 Method Not Allowed"},
    {413, "413 Content Too Large"},
    {417, "417 Expectation Failed"},
    {429, "429 Too Many Requests"},
    {431, "431 Request Header Fields Too Large"},
    {500, "500 Internal Server Error"},
    {503, "503 Service Unavailable"},
};

std::string_view status_text(unsigned code) {
  const auto* const known =
      std::find_if(std::begin(kStatuses), std::end(kStatuses), [=](const Status& each) { return each.code == code; });
  return known == std::end(kStatuses) ? "500 Internal Server Error" : known->text;
}

void append_decimal(std::uint64_t value, std::string& out) {
  char digits[kLongestDecimal];
  out.append(digits, write_decimal(value, digits));
}

// Appends the status line and the fields that all replies have, up to the line of Content-Length.
void begin_head(unsigned status, std::string_view type, const HttpManner& manner, std::string& out) {
  out += "HTTP/1.1 ";
  out += status_text(status);
  out += "\r\nCache-Control: no-store\r\nContent-Type: ";
  out += type;
  if (manner.closes) out += "\r\nConnection: close";
  if (manner.says_keep_alive) out += "\r\nConnection: keep-alive";
  out += "\r\nContent-Length: ";
}

void append_head(unsigned status, std::string_view type, std::size_t length, const HttpManner& manner,
                 std::string& out) {
  begin_head(status, type, manner, out);
  append_decimal(length, out);
  out += "\r\n\r\n";
}

constexpr std::array<std::uint64_t, kLongestDecimal> kPowersOfTen = [] {
  std::array<std::uint64_t, kLongestDecimal> powers{};
  std::uint64_t power = 1;
  for (auto& each : powers) {
    each = power;
    power *= 10;
  }
  return powers;
}();

// Most ids have 18 or 19 digits, so it looks from the top.
std::size_t digits_of(std::uint64_t id) {
  std::size_t digits = kLongestDecimal;
  while (digits > 1 && id < kPowersOfTen[digits - 1]) --digits;
  return digits;
}

std::size_t digits_of_all(const std::uint64_t* ids, std::size_t count) {
  std::size_t digits = 0;
  for (std::size_t i = 0; i < count; ++i) digits += digits_of(ids[i]);
  return digits;
}

char* write(std::string_view text, char* out) { return std::copy(text.begin(), text.end(), out); }

void write_json(const std::uint64_t* ids, std::size_t count, char* out) {
  out = write(kBegin, out);
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) *out++ = ',';
    *out++ = '"';
    out += write_decimal(ids[i], out);
    *out++ = '"';
  }
  write(kEnd, out);
}

void write_lines(const std::uint64_t* ids, std::size_t count, char* out) {
  for (std::size_t i = 0; i < count; ++i) {
    out += write_decimal(ids[i], out);
    *out++ = '\n';
  }
}

void write_bytes(const std::uint64_t* ids, std::size_t count, char* out) {
  for (std::size_t i = 0; i < count; ++i) {
    for (int shift = 56; shift >= 0; shift -= 8) *out++ = static_cast<char>(ids[i] >> shift & 0xff);
  }
}

// A form of ids: what it is called, how long a body is, who writes it.
struct Body {
  std::string_view type;
  std::size_t length;
  void (*write)(const std::uint64_t*, std::size_t, char*);
};

Body body_of(const std::uint64_t* ids, std::size_t count, IdsForm form) {
  switch (form) {
    case IdsForm::lines: return {kText, digits_of_all(ids, count) + count, write_lines};
    case IdsForm::bytes: return {kBytes, 8 * count, write_bytes};
    case IdsForm::json: break;
  }
  const std::size_t marks = 3 * count - (count > 0 ? 1 : 0);
  return {kJson, kBegin.size() + digits_of_all(ids, count) + marks + kEnd.size(), write_json};
}

}  // namespace

void append_page(std::string_view body, unsigned status, const HttpManner& manner, std::string& out,
                 std::string_view type) {
  append_head(status, type, body.size(), manner, out);
  if (!manner.has_no_body) out += body;
}

void append_refusal(const HttpRefusal& refusal, const HttpManner& manner, std::string& out) {
  std::string body;
  JsonObject json(body);
  json.text("code", refusal.code());
  json.text("message", refusal.message());
  json.end();
  begin_head(refusal.status(), kJson, manner, out);
  append_decimal(body.size(), out);
  if (!refusal.allow().empty()) {
    out += "\r\nAllow: ";
    out += refusal.allow();
  }
  if (refusal.status() == 401) out += "\r\nWWW-Authenticate: Bearer";
  if (refusal.status() == 429) {
    out += "\r\nRetry-After: ";  // in seconds; the least is 1
    append_decimal(static_cast<std::uint64_t>(refusal.retry_after_s()), out);
  }
  out += "\r\n\r\n";
  if (!manner.has_no_body) out += body;
}

void append_ids(const std::uint64_t* ids, std::size_t count, IdsForm form, const HttpManner& manner, std::string& out) {
  const Body body = body_of(ids, count, form);
  append_head(200, body.type, body.length, manner, out);
  if (manner.has_no_body) return;
  const std::size_t begin = out.size();
  out.resize(begin + body.length);
  body.write(ids, count, out.data() + begin);
}

void append_leaf_id(std::uint64_t id, const HttpManner& manner, std::string& out) {
  append_head(200, kText, digits_of(id), manner, out);
  if (!manner.has_no_body) append_decimal(id, out);
}

}  // namespace polyflake::server
