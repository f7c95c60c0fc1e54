// Commands of RESP to the id server: their replies are well-formed, give each id once, and are the
// same for pieces of any size. Who sends no secret of a listener with tokens learns nothing.
#include "resp/resp.hpp"

#include <charconv>
#include <string>
#include <string_view>

#include "property.hpp"
#include "server/served_numbers.hpp"
#include "server_tokens.hpp"

namespace polyflake::fuzz {
namespace {

using server::test::Conversation;
using server::test::Exchange;

constexpr std::size_t kMostHeld = std::size_t{65} * 1024 + 16;  // the longest command

// Takes one value of RESP 2 or 3 off the text.
void take_value(std::string_view& text) {
  const std::size_t end = text.find("\r\n");
  hold(end != std::string_view::npos && end > 0, "a reply is a line, or begins with one");
  const char sign = text[0];
  const std::string_view line = text.substr(1, end - 1);
  hold(line.find('\n') == std::string_view::npos, "a line has no break");
  text.remove_prefix(end + 2);
  if (sign == '+' || sign == '_') return;
  if (sign == '-') return hold_for_message(line);
  std::int64_t number = 0;
  const auto read = std::from_chars(line.data(), line.data() + line.size(), number);
  hold(read.ec == std::errc() && read.ptr == line.data() + line.size(), "a number is whole");
  if (sign == ':') return;
  if (sign == '$') {
    if (number == -1) return;
    const auto size = static_cast<std::size_t>(number);
    hold(text.size() >= size + 2 && text.substr(size, 2) == "\r\n", "a text is as long as it says");
    text.remove_prefix(size + 2);
    return;
  }
  hold(sign == '*' || sign == '%', "a value has one of seven signs");
  for (std::int64_t i = 0; i < (sign == '%' ? 2 * number : number); ++i) take_value(text);
}

struct Course {
  std::string replies;
  bool ended;
};

Course hold_conversation(std::string_view text, std::size_t piece) {
  server::Limits limits;
  limits.max_batch = 100;
  server::test::ServedNumbers numbers(limits);
  numbers.generator("orders", 912101662074630426);
  numbers.counter("n", 7);
  const TokensOfInput tokens(text);
  server::Resp protocol(numbers.service, tokens.gate());
  Conversation conversation(protocol);
  Course course{conversation.say(text, piece), conversation.ended()};
  hold(conversation.rest().size() < kMostHeld, "no more is kept than one command may have");
  for (const Exchange& each : conversation.exchanges()) {
    std::string_view reply = each.reply;
    if (!reply.empty()) take_value(reply);
    hold(reply.empty(), "a command has one reply, or none if it says nothing");
    hold(!tokens.must_learn_nothing() || each.reply.empty() || each.reply[0] == '-' || each.reply[0] == '+',
         "without a secret nothing is told");
  }
  return course;
}

void run(std::string_view text) {
  const Course whole = hold_conversation(text, text.size() + 1);
  for (const std::size_t piece : {1U, 2U, 7U}) {
    const Course pieces = hold_conversation(text, piece);
    hold(pieces.replies == whole.replies && pieces.ended == whole.ended, "pieces change nothing");
  }
}

}  // namespace
}  // namespace polyflake::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  polyflake::fuzz::run(polyflake::fuzz::text_of(data, size));
  return 0;
}
