// A server of the Thrift protocol without a socket. Types of TApplicationException are written out
// here, so that they are those of the specification.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "served_numbers.hpp"
#include "thrift/thrift.hpp"
#include "thrift_wire.hpp"

namespace polyflake::server::thrift_test {

using test::Conversation;
using test::ServedNumbers;

constexpr std::int64_t kNow = 1'764'000'000'123;
constexpr std::int32_t kUnknownMethod = 1, kInvalidMessageType = 2, kInternalError = 6, kProtocolError = 7;
constexpr std::size_t kLongest = 65536;
inline const std::vector<std::int64_t> kFirst{1};  // what the first call for an id gets

// A service with one generator, whose ids are 1, 2, 3, ..., and one connection to it.
class ThriftServer {
 public:
  explicit ThriftServer(const char* layout = "twitter", std::int64_t node = 5 << 5 | 7)
      : state_{true, "open", "", node, 0} {
    numbers_.generator("orders", 1, layout, &state_);
    thrift_ = std::make_unique<Thrift>(numbers_.service, *numbers_.service.generator("orders"), [] { return kNow; });
    conversation_ = std::make_unique<Conversation>(*thrift_);
  }

  Thrift& thrift() { return *thrift_; }
  const Conversation& conversation() const { return *conversation_; }

  // Return the replies to a whole input.
  std::string says(std::string_view input, std::size_t piece = 2 * kLongest) {
    return conversation_->say(input, piece);
  }
  Reply reply(std::string_view input) {
    const auto replies = replies_in(says(input));
    EXPECT_FALSE(conversation_->ended());
    EXPECT_EQ(conversation_->rest(), "");
    EXPECT_EQ(replies.size(), 1U);
    return replies.empty() ? Reply() : replies.front();
  }
  std::vector<std::int64_t> values(std::string_view input) { return reply(input).values; }

 private:
  Source::State state_;
  ServedNumbers numbers_;
  std::unique_ptr<Thrift> thrift_;
  std::unique_ptr<Conversation> conversation_;
};

inline void expect_exception(const Reply& reply, std::int32_t reason, std::string_view part) {
  EXPECT_EQ(reply.type, 3U);
  EXPECT_EQ(reply.reason, reason) << reply.text;
  EXPECT_NE(reply.text.find(part), std::string::npos) << reply.text;
  EXPECT_LT(reply.text.size(), 400U);
}

}  // namespace polyflake::server::thrift_test
