#include "open/http_exchange.hpp"

#include <polyflake/command.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>

#include <algorithm>
#include <sstream>

#include "base/ascii.hpp"
#include "bits/calendar.hpp"

namespace polyflake {
namespace {

namespace beast = boost::beast;
namespace http = boost::beast::http;

constexpr std::size_t kLongestBody = std::size_t{4} << 20;  // a hundred records take some 60 000
constexpr std::size_t kPiece = std::size_t{16} << 10;

std::string text_of(const ServerPlace& server, const HttpRequest& request) {
  http::request<http::string_body> message{http::verb::post, request.path, 11, request.body};
  const bool is_ipv6 = server.host.find(':') != std::string::npos;
  message.set(http::field::host, (is_ipv6 ? "[" + server.host + "]" : server.host) + ":" + server.port);
  message.set(http::field::content_type, "application/json");
  if (!request.authorization.empty()) message.set(http::field::authorization, request.authorization);
  message.prepare_payload();
  std::ostringstream text;
  text << message;
  return text.str();
}

// Returns the number of that many digits at a place; -1 if it is none.
std::int64_t digits_at(std::string_view text, std::size_t at, std::size_t count) {
  std::int64_t number = 0;
  for (const char c : text.substr(at, count)) {
    if (!ascii::is_digit(c)) return -1;
    number = number * 10 + (c - '0');
  }
  return number;
}

}  // namespace

HttpAnswer post(Connection& connection, const ServerPlace& server, const HttpRequest& request,
                Connection::Deadline deadline) {
  connection.send(text_of(server, request), deadline);
  http::response_parser<http::string_body> parser;
  parser.eager(true);
  parser.body_limit(kLongestBody);
  beast::flat_buffer buffer;
  while (!parser.is_done()) {
    const auto room = buffer.prepare(kPiece);
    buffer.commit(connection.receive(static_cast<char*>(room.data()), room.size(), deadline));
    beast::error_code error;
    buffer.consume(parser.put(buffer.data(), error));
    if (error && error != http::error::need_more) {
      throw lease::CommandFailure("", "the server answers no HTTP, or too much: " + error.message());
    }
  }
  HttpAnswer answer;
  answer.status = parser.get().result_int();
  const beast::string_view date = parser.get()[http::field::date];
  answer.date_ms = http_date_ms({date.data(), date.size()});
  answer.is_last = !parser.keep_alive() || buffer.size() > 0;
  answer.body = std::move(parser.get().body());
  return answer;
}

std::optional<std::int64_t> http_date_ms(std::string_view text) {
  constexpr std::string_view kForm = "Sun, 00 Jan 0000 00:00:00 GMT", kMonths = "JanFebMarAprMayJunJulAugSepOctNovDec";
  if (text.size() != kForm.size()) return std::nullopt;
  for (std::size_t i = 3; i < kForm.size(); ++i) {
    const bool is_mark = !ascii::is_digit(kForm[i]) && (i < 8 || i > 10);
    if (is_mark && text[i] != kForm[i]) return std::nullopt;
  }
  const std::size_t month = kMonths.find(text.substr(8, 3));
  const std::int64_t day = digits_at(text, 5, 2), year = digits_at(text, 12, 4), hour = digits_at(text, 17, 2),
                     minute = digits_at(text, 20, 2), second = digits_at(text, 23, 2);
  if (month == std::string_view::npos || month % 3 != 0 || year < 1970 || day < 1 || hour < 0 || hour > 23 ||
      minute < 0 || minute > 59 || second < 0 || second > 60) {
    return std::nullopt;
  }
  const auto number = static_cast<std::int64_t>(month / 3 + 1);
  if (day > calendar::days_in(year, number)) return std::nullopt;
  const std::int64_t days = calendar::days_before(year, number) + day - 1;
  return days * calendar::kMsPerDay + ((hour * 60 + minute) * 60 + second) * 1000;
}

}  // namespace polyflake
