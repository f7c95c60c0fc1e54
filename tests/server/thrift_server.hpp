// A server of the Thrift protocol without a socket. Types of TApplicationException are written out
// here, so that they are those of the specification.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string_view>
#include <vector>

#include "fixed_source.hpp"
#include "service.hpp"
#include "thrift_wire.hpp"

namespace polyflake::server::test {

constexpr std::int64_t kNow = 1'764'000'000'123;
constexpr std::int32_t kUnknownMethod = 1, kInvalidMessageType = 2, kInternalError = 6, kProtocolError = 7;
constexpr std::size_t kLongest = 65536;

// A service with one generator, and one connection to it.
struct Server {
  explicit Server(const Layout& layout = "twitter", std::int64_t node = 5 << 5 | 7) {
    service.add_generator(
        std::make_unique<Queue>(loop, "orders", std::make_unique<FixedSource>("orders", layout, node), 500));
    thrift = std::make_unique<Thrift>(service, *service.generator("orders"), [] { return kNow; });
  }

  Conversation says(std::string_view input, std::size_t piece = kLongest * 2) { return talk(*thrift, input, piece); }
  Reply reply(std::string_view input) {
    const Conversation said = says(input);
    EXPECT_FALSE(said.ended);
    EXPECT_EQ(said.left, "");
    const auto replies = said.replies();
    EXPECT_EQ(replies.size(), 1U);
    return replies.empty() ? Reply() : replies.front();
  }
  std::vector<std::int64_t> values(std::string_view input) { return reply(input).values; }

  boost::asio::io_context loop;
  Service service{Limits()};
  std::unique_ptr<Thrift> thrift;
};

inline void expect_exception(const Reply& reply, std::int32_t reason, std::string_view part) {
  EXPECT_EQ(reply.type, 3U);
  EXPECT_EQ(reply.reason, reason) << reply.text;
  EXPECT_NE(reply.text.find(part), std::string::npos) << reply.text;
  EXPECT_LT(reply.text.size(), 400U);
}

}  // namespace polyflake::server::test
