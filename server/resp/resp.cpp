#include "resp/resp.hpp"

#include <algorithm>
#include <cstring>

#include <polyflake/error.hpp>
#include <polyflake/text.hpp>

#include "resp/resp_text.hpp"

namespace polyflake::server {
namespace {

constexpr std::size_t kLongest = 64 * 1024;  // bytes of a command

char upper(char c) { return 'a' <= c && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

}  // namespace

// --- reading -------------------------------------------------------------------------------------

Request Resp::read(std::string_view input) {
  at_ = 0;
  count_ = 0;
  failure_ = nullptr;
  refusal_.clear();
  if (input.empty()) return {};
  const bool whole = input[0] == '*' ? read_words(input) : read_line_of_words(input);
  if (failure_ != nullptr) {
    Request request;
    request.length = input.size();
    request.last = true;
    return request;
  }
  if (!whole) return {};
  Request request = request_of_words();
  request.length = at_;
  return request;
}

void Resp::fail(const char* reason) { failure_ = reason; }

// A list of words: *<count>, then $<length> and that many bytes for each.
bool Resp::read_words(std::string_view input) {
  std::int64_t count = 0;
  if (!read_number(input, '*', count)) return false;
  if (count > static_cast<std::int64_t>(kMostWords)) {
    fail("more than 16 words in a command");
    return false;
  }
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t length = 0;
    if (!read_number(input, '$', length)) return false;
    if (length < 0 || length > static_cast<std::int64_t>(kLongest - std::min(at_, kLongest))) {
      fail("a command is longer than 64 KiB");
      return false;
    }
    const auto size = static_cast<std::size_t>(length);
    if (input.size() - at_ < size + 2) return false;
    if (input[at_ + size] != '\r' || input[at_ + size + 1] != '\n') {
      fail("a word does not end where its length says");
      return false;
    }
    words_[count_++] = input.substr(at_, size);
    at_ += size + 2;
  }
  return true;
}

// <sign><number>\r\n
bool Resp::read_number(std::string_view input, char sign, std::int64_t& number) {
  constexpr std::size_t kMostDigits = 8;
  std::size_t at = at_;
  if (at == input.size()) return false;
  if (input[at++] != sign) {
    fail(sign == '$' ? "expected '$', the length of a word" : "expected a list of words");
    return false;
  }
  const bool negative = at < input.size() && input[at] == '-';
  if (negative) ++at;
  const std::size_t begin = at;
  for (; at < input.size() && '0' <= input[at] && input[at] <= '9'; ++at) {
    if (at - begin == kMostDigits) break;
    number = number * 10 + (input[at] - '0');
  }
  const std::string_view end = input.substr(at, 2);
  if (at == begin ? !end.empty() : end != std::string_view("\r\n").substr(0, end.size())) {
    fail("a length or a count is no number, or too large");
    return false;
  }
  if (end.size() < 2) return false;
  if (negative) number = -number;
  at_ = at + 2;
  return true;
}

// Reads a line that a person types: words with blanks between them.
bool Resp::read_line_of_words(std::string_view input) {
  const std::size_t end = input.find('\n');
  if (std::min(end, input.size()) > kLongest) {
    fail("a line is longer than 64 KiB");
    return false;
  }
  if (end == std::string_view::npos) return false;
  at_ = end + 1;
  std::string_view line = input.substr(0, end);
  constexpr std::string_view kBlanks = " \t\r";
  for (;;) {
    const std::size_t begin = line.find_first_not_of(kBlanks);
    if (begin == std::string_view::npos) return !is_http();
    if (count_ == kMostWords) {
      fail("more than 16 words in a command");
      return false;
    }
    line.remove_prefix(begin);
    const std::size_t length = std::min(line.find_first_of(kBlanks), line.size());
    words_[count_++] = line.substr(0, length);
    line.remove_prefix(length);
  }
}

// A page in a browser can make it send such requests to any port of its host.
bool Resp::is_http() {
  if (count_ == 0 || !(is(0, "POST") || is(0, "HOST:"))) return false;
  fail("this is the protocol of Redis, and HTTP has another port");
  return true;
}

bool Resp::is(std::size_t word, std::string_view name) const {
  const std::string_view text = words_[word];
  return text.size() == name.size() &&
         std::equal(text.begin(), text.end(), name.begin(), [](char a, char b) { return upper(a) == b; });
}

// --- commands that want ids ----------------------------------------------------------------------

Request Resp::request_of_words() {
  if (needs_token()) return request_without_ids();
  if (count_ == 2 && is(0, "INCR")) return request_for(service_.queue(words_[1]), words_[1], 1, kInteger);
  if (count_ == 3 && is(0, "INCRBY")) {
    if (words_[2] == "1") return request_for(service_.queue(words_[1]), words_[1], 1, kInteger);
    return refused(
        bad_request("INCRBY by more than 1 would mean numbers that follow one another; use POLYFLAKE.NEXT "
                    "key n, which lists its ids"));
  }
  if (count_ >= 2 && is(0, "POLYFLAKE.NEXT")) return next();
  return request_without_ids();
}

Request Resp::request_without_ids() const {
  Request request;
  request.last = count_ != 0 && is(0, "QUIT");
  return request;
}

// POLYFLAKE.NEXT key [n] [AFTER id]
Request Resp::next() {
  std::size_t word = 2;
  std::size_t ids = 1;
  Form form = kText;
  std::uint64_t after = 0;
  try {
    if (word < count_ && !is(word, "AFTER")) {
      const std::uint64_t wanted = id_from_text(words_[word++]);
      const auto wrong = refusal_of_batch(wanted, service_.limits().max_batch, std::to_string(wanted));
      if (wrong) return refused(*wrong);
      ids = static_cast<std::size_t>(wanted);
      form = kTexts;
    }
    if (word + 1 < count_ && is(word, "AFTER")) {
      after = id_from_text(words_[word + 1]);
      word += 2;
    }
  } catch (const Error& error) {
    return refused(refusal_of(error));
  }
  if (word != count_) return refused(bad_request("usage: POLYFLAKE.NEXT key [n] [AFTER id]"));
  Request request = request_for(service_.queue(words_[1]), words_[1], ids, form);
  request.after = after;
  return request;
}

Request Resp::request_for(Queue* queue, std::string_view key, std::size_t ids, Form form) {
  if (queue == nullptr) {
    return refused(unknown_key("no generator and no counter of this server is named " + polyflake::quoted(key) +
                               "; POLYFLAKE.INFO lists them"));
  }
  if (gate_ != nullptr && !right_.may_take(queue->name())) {
    resp::line('-', no_permission(right_.token(), "take ids of '" + queue->name() + "'"), refusal_);
    return {};
  }
  Request request;
  request.rate = gate_ != nullptr ? right_.rate() : nullptr;
  request.queue = queue;
  request.ids = static_cast<std::uint32_t>(ids);
  request.form = form;
  return request;
}

Request Resp::refused(const Refusal& refusal) {
  refuse({}, refusal, refusal_);
  return {};
}

// --- replies -------------------------------------------------------------------------------------

void Resp::give(const Request& request, const std::uint64_t* ids, std::string& out) {
  if (request.form == kInteger) return resp::integer(static_cast<std::int64_t>(ids[0]), out);
  if (request.form == kTexts) resp::array(request.ids, out);
  for (std::uint32_t i = 0; i < request.ids; ++i) {
    char digits[kLongestDecimal];
    resp::bulk({digits, write_decimal(ids[i], digits)}, out);
  }
}

std::size_t Resp::bytes_per_id() const { return sizeof("$19\r\n\r\n") + kLongestDecimal; }

void Resp::refuse(const Request&, const Refusal& refusal, std::string& out) {
  resp::line('-', "POLYFLAKE " + refusal.code + ' ' + refusal.message, out);
}

void Resp::refuse_connection(std::string& out) {
  resp::line('-', "ERR max number of clients reached; max_connections sets it", out);
}

}  // namespace polyflake::server
