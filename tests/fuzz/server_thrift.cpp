// Calls in Thrift's binary protocol: their replies are well-formed, give each id once, and are the
// same for pieces of any size.
#include "thrift/thrift.hpp"

#include <algorithm>
#include <iterator>
#include <string>

#include "../server/served_numbers.hpp"
#include "../server/thrift_wire.hpp"
#include "property.hpp"

namespace polyflake::fuzz {
namespace {

constexpr std::size_t kLongest = 65536;
constexpr std::uint32_t kMaxBatch = 50;
constexpr std::int32_t kReasons[] = {1, 2, 6, 7};

server::Limits limits() {
  server::Limits limits;
  limits.max_batch = kMaxBatch;
  return limits;
}

// The result of a conversation.
struct Course {
  std::string replies;
  std::size_t requests;
  std::size_t unread;
  bool ended;
};

Course course_of(std::string_view text, std::size_t piece) {
  server::test::ServedNumbers numbers(limits());
  numbers.generator("g", 1, "twitter");
  server::Thrift thrift(numbers.service, *numbers.service.generator("g"), [] { return std::int64_t{1}; });
  server::test::Conversation conversation(thrift);
  std::string replies = conversation.say(text, piece);
  return {std::move(replies), conversation.exchanges().size(), conversation.rest().size(), conversation.ended()};
}

void hold_for_replies(const Course& course) {
  std::size_t ids = 0, replies = 0;
  for (server::thrift_test::Replies rest(course.replies); !rest.at_end(); ++replies) {
    const server::thrift_test::Reply reply = rest.next();  // throws if it is not well-formed
    if (reply.type == 3) {
      hold_for_message(reply.text);
      hold(std::count(std::begin(kReasons), std::end(kReasons), reply.reason) == 1,
           "an exception has one of four types");
    }
    hold(reply.values.size() <= kMaxBatch, "no more ids than max_batch");
    if (reply.method != "get_id" && reply.method != "get_ids") continue;
    for (const std::int64_t id : reply.values) hold(id == static_cast<std::int64_t>(++ids), "each id once, in order");
  }
  hold(replies <= course.requests, "at most one reply a request");
}

void run(std::string_view text) {
  const Course whole = course_of(text, text.size() + 1);
  hold(whole.ended || whole.unread < kLongest, "at most 64 KiB are waited for");
  hold_for_replies(whole);
  for (const std::size_t piece : {1U, 2U, 7U}) {
    const Course course = course_of(text, piece);
    hold(course.replies == whole.replies && course.ended == whole.ended && course.requests == whole.requests,
         "pieces change nothing");
  }
}

}  // namespace
}  // namespace polyflake::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  polyflake::fuzz::run(polyflake::fuzz::text_of(data, size));
  return 0;
}
