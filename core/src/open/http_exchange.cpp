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

// '0' is any digit, '?' any character.
constexpr std::string_view kDateForm = "???, 00 ??? 0000 00:00:00 GMT";

bool has_form_of_date(std::string_view text) {
  if (text.size() != kDateForm.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool fits = kDateForm[i] == '?' || (kDateForm[i] == '0' ? ascii::is_digit(text[i]) : kDateForm[i] == text[i]);
    if (!fits) return false;
  }
  return true;
}

// A number in a date: digits, and the range.
struct DateField {
  std::size_t at, digits;
  std::int64_t least, most;

  // Returns the number; -1 if it is out of range.
  std::int64_t in(std::string_view date) const {
    std::int64_t number = 0;
    for (const char c : date.substr(at, digits)) number = number * 10 + (c - '0');
    return number < least || number > most ? -1 : number;
  }
};

constexpr DateField kDay{5, 2, 1, 31}, kYear{12, 4, 1970, 9999}, kHour{17, 2, 0, 23}, kMinute{20, 2, 0, 59},
    kSecond{23, 2, 0, 60};

// Returns 1 to 12; -1 for another text.
std::int64_t month_in(std::string_view date) {
  constexpr std::string_view kMonths = "JanFebMarAprMayJunJulAugSepOctNovDec";
  const std::size_t at = kMonths.find(date.substr(8, 3));
  return at == std::string_view::npos || at % 3 != 0 ? -1 : static_cast<std::int64_t>(at / 3 + 1);
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
  if (!has_form_of_date(text)) return std::nullopt;
  const std::int64_t year = kYear.in(text), month = month_in(text), day = kDay.in(text), hour = kHour.in(text),
                     minute = kMinute.in(text), second = kSecond.in(text);
  if (std::min({year, month, day, hour, minute, second}) < 0) return std::nullopt;
  if (day > calendar::days_in(year, month)) return std::nullopt;
  const std::int64_t days = calendar::days_before(year, month) + day - 1;
  return days * calendar::kMsPerDay + ((hour * 60 + minute) * 60 + second) * 1000;
}

}  // namespace polyflake
