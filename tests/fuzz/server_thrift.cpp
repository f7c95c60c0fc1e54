// Calls in Thrift's binary protocol: their replies are well-formed, give each id once, and are the
// same for pieces of any size.
#include "property.hpp"
#include "server/fixed_source.hpp"
#include "server/thrift_wire.hpp"
#include "service.hpp"

namespace polyflake::fuzz {
namespace {

using server::test::Conversation;

constexpr std::size_t kLongest = 65536;
constexpr std::uint32_t kMaxBatch = 50;
constexpr std::int32_t kReasons[] = {1, 2, 6, 7};

server::Limits limits() {
  server::Limits limits;
  limits.max_batch = kMaxBatch;
  return limits;
}

void hold_for_replies(const Conversation& said) {
  std::size_t ids = 0, replies = 0;
  for (server::test::Replies rest(said.out); !rest.at_end(); ++replies) {
    const server::test::Reply reply = rest.next();  // throws if it is not well-formed
    if (reply.type == 3) {
      hold_for_message(reply.text);
      hold(std::count(std::begin(kReasons), std::end(kReasons), reply.reason) == 1,
           "an exception has one of four types");
    }
    hold(reply.values.size() <= kMaxBatch, "no more ids than max_batch");
    if (reply.method.compare(0, 6, "get_id") != 0) continue;
    for (const std::int64_t id : reply.values)
      hold(id == static_cast<std::int64_t>(++ids), "each id once, in their order");
  }
  hold(ids == said.ids, "no id is lost");
  hold(replies <= said.requests, "at most one reply a request");
}

void run(std::string_view text) {
  static boost::asio::io_context loop;
  static server::Queue queue(loop, "g", std::make_unique<server::test::FixedSource>("g", "twitter", 7), 500);
  static const server::Service service(limits());
  server::Thrift thrift(service, queue, [] { return std::int64_t{1}; });

  const Conversation whole = server::test::talk(thrift, text, text.size() + 1);
  hold(whole.ended || whole.left.size() < kLongest, "no more than 64 KiB are asked for");
  hold_for_replies(whole);
  for (const std::size_t piece : {1U, 2U, 7U}) {
    const Conversation said = server::test::talk(thrift, text, piece);
    hold(said.out == whole.out && said.ended == whole.ended && said.requests == whole.requests,
         "pieces change nothing");
  }
}

}  // namespace
}  // namespace polyflake::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  polyflake::fuzz::run(polyflake::fuzz::text_of(data, size));
  return 0;
}
