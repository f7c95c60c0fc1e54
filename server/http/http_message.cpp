#include "http/http_message.hpp"

#include <algorithm>
#include <string>

#include <boost/asio/buffer.hpp>
#include <boost/beast/core/error.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/field.hpp>

#include "http/http_refusal.hpp"

namespace polyflake::server {
namespace {

namespace http = boost::beast::http;
using boost::beast::error_code;
using boost::beast::string_view;

constexpr std::size_t kLongestHead = 8 << 10;
constexpr std::size_t kLongestBody = 64 << 10;
constexpr std::size_t kLongestChunks = 8 << 10;

std::string_view view(string_view text) { return {text.data(), text.size()}; }

HttpMethod method_of(http::verb verb) {
  switch (verb) {
    case http::verb::get: return HttpMethod::get;
    case http::verb::head: return HttpMethod::head;
    case http::verb::post: return HttpMethod::post;
    default: return HttpMethod::other;
  }
}

[[noreturn]] void refuse_request(const std::string& fault) {
  throw HttpRefusal(400, "bad_request",
                    "This is no request of HTTP/1.1: " + fault +
                        ". Send a request as RFC 9112 describes it; the connection is closed.");
}

// Keeps what a server needs of the head, without a copy.
class Parser final : public http::basic_parser<true> {
 public:
  explicit Parser(HttpMessage& message) : message_(message) {
    header_limit(kLongestHead);
    body_limit(kLongestBody);
    eager(true);
  }

  // Refuses what RFC 9112 tells a server to refuse, and Beast takes.
  void check_head() const {
    if (hosts_ > 1 || (hosts_ == 0 && !message_.is_http10))
      refuse_request(std::to_string(hosts_) + " fields Host, where one is due");
    if (lengths_ > 1) refuse_request("more than one Content-Length");
    if (has_encoding_ && (!chunked() || message_.is_http10 || !is_only_chunked_))
      refuse_request("a Transfer-Encoding that is not chunked alone, or not of HTTP/1.1");
    const bool has_body = chunked() || content_length().value_or(0) > 0;
    if (expects_ && has_body)
      throw HttpRefusal(417, "bad_request",
                        "The request has the field Expect. This server says nothing before it has the whole request: "
                        "send it without Expect.");
  }

 private:
  void on_request_impl(http::verb method, string_view, string_view target, int version, error_code&) override {
    message_.method = method_of(method);
    message_.target = view(target);
    message_.is_http10 = version == 10;
  }
  void on_field_impl(http::field name, string_view, string_view value, error_code&) override {
    if (is_header_done()) return;  // a trailer
    switch (name) {
      case http::field::accept: accept_.add(view(value)); break;
      case http::field::authorization:
        ++message_.authorizations;
        message_.authorization = view(value);
        break;
      case http::field::host: ++hosts_; break;
      case http::field::expect: expects_ = true; break;
      case http::field::content_length: lengths_ += 1 + std::count(value.begin(), value.end(), ','); break;
      case http::field::transfer_encoding:
        has_encoding_ = true;
        is_only_chunked_ = boost::beast::iequals(value, "chunked");
        break;
      default: break;
    }
  }
  void on_header_impl(error_code&) override { message_.form = accept_.form(); }
  void on_body_init_impl(const boost::optional<std::uint64_t>&, error_code&) override {}
  std::size_t on_body_impl(string_view body, error_code&) override { return body.size(); }
  void on_chunk_header_impl(std::uint64_t, string_view, error_code&) override {}
  std::size_t on_chunk_body_impl(std::uint64_t, string_view body, error_code&) override { return body.size(); }
  void on_finish_impl(error_code&) override {}
  void on_response_impl(int, string_view, int, error_code&) override {}

  HttpMessage& message_;
  Accept accept_;
  std::int64_t hosts_ = 0;
  std::int64_t lengths_ = 0;
  bool expects_ = false;
  bool has_encoding_ = false;
  bool is_only_chunked_ = false;
};

// Returns the bytes of the head, with the empty line at its end; 0: it is not whole yet. A line
// feed without its carriage return is refused as soon as it is there: an end may never come.
// So is a line that begins with a blank, which some read as a part of the line before it.
std::size_t head_length(std::string_view input) {
  const std::string_view text = input.substr(0, kLongestHead);
  for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1)) {
    if (at == 0 || text[at - 1] != '\r') refuse_request("bare line feed");
    if (at >= 3 && text.compare(at - 3, 2, "\r\n") == 0) return at + 1;
    if (at + 1 < text.size() && (text[at + 1] == ' ' || text[at + 1] == '\t')) refuse_request("folded line");
  }
  if (input.size() < kLongestHead) return 0;
  throw HttpRefusal(431, "bad_request",
                    "The head of a request has at most " + std::to_string(kLongestHead) +
                        " bytes, and this one has more. Send fewer or shorter fields; the connection is closed.");
}

[[noreturn]] void refuse_body(std::size_t longest) {
  throw HttpRefusal(413, "bad_request",
                    "The body of a request has at most " + std::to_string(longest) +
                        " bytes, and this one has more. No request needs a body; the connection is closed.");
}

// An empty line before a request: some clients end a body with one.
std::size_t empty_line(std::string_view input) { return input.substr(0, 2) == "\r\n" ? 2 : 0; }

bool begins_like_a_method(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

void read_head(Parser& parser, std::string_view head) {
  error_code failure;
  parser.put({head.data(), head.size()}, failure);
  if (failure == http::error::body_limit) refuse_body(kLongestBody);
  if (failure) refuse_request(failure.message());
  if (!parser.is_header_done()) refuse_request("its head does not end");
  parser.check_head();
}

// Returns the bytes of the body. If it is not whole, the parser is not done.
std::size_t read_body(Parser& parser, std::string_view input) {
  if (parser.is_done()) return 0;
  const std::size_t longest = parser.chunked() ? kLongestChunks : kLongestBody;
  input = input.substr(0, longest);
  error_code failure;
  const std::size_t length = parser.put({input.data(), input.size()}, failure);
  if (failure == http::error::body_limit) refuse_body(longest);
  if (failure && failure != http::error::need_more) refuse_request(failure.message());
  if (!parser.is_done() && input.size() == longest) refuse_body(longest);
  return length;
}

}  // namespace

HttpMessage read_message(std::string_view input) {
  HttpMessage message;
  if (input == "\r") return message;
  const std::size_t skipped = empty_line(input);
  input.remove_prefix(skipped);
  if (input.empty()) return message;
  // Such as TLS on a port without it, whose client would wait for an answer.
  if (!begins_like_a_method(input[0])) refuse_request("it does not begin with a method");
  const std::size_t head = head_length(input);
  if (head == 0) return message;

  Parser parser(message);
  read_head(parser, input.substr(0, head));
  const std::size_t body = read_body(parser, input.substr(head));
  if (!parser.is_done()) return message;
  message.length = skipped + head + body;
  message.keeps_alive = parser.keep_alive();
  message.has_body = body > 0;
  return message;
}

bool begins_like_head(std::string_view input) { return input.substr(empty_line(input), 5) == "HEAD "; }

}  // namespace polyflake::server
