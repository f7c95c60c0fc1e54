// The carrier of Redis beside servers of this process that end, hang or answer wrongly, and in copies of the process. No
// test has an upper limit of time: what must end is waited for.
#include <polyflake/redis_carrier.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <unistd.h>

#include "copies.hpp"
#include "expect_error.hpp"
#include "listener.hpp"
#include "os/connection.hpp"

namespace polyflake::test {
namespace {

using lease::Command;
using lease::Reply;
using lease::Row;

constexpr std::int64_t kLongMs = 20'000, kShortMs = 50;

std::string address_of(const Listener& server, const std::string& login = "", const std::string& path = "") {
  return "redis://" + login + "127.0.0.1:" + std::to_string(server.port()) + path;
}

Command ping(const char* connection = "alone") { return {"command", {{"PING"}, {"key", connection}}}; }

void answer_all(Peer& peer) {
  while (!peer.hear().empty() && peer.say("+PONG\r\n")) {
  }
}

// The code of the failure, and its reason; "none" if there is none.
std::pair<std::string, std::string> failure_of(Carrier& carrier, const Command& command,
                                               std::int64_t timeout_ms = kLongMs) {
  try {
    carrier.carry(command, timeout_ms);
  } catch (const lease::CommandFailure& failure) {
    return {failure.code(), failure.what()};
  }
  return {"none", ""};
}

TEST(RedisConnection, serves_one_command_after_the_other) {
  Listener server(answer_all);
  RedisCarrier carrier(address_of(server));
  for (int i = 0; i < 100; ++i) EXPECT_EQ(carrier.carry(ping(), kLongMs), (Reply{Row{"PONG"}}));
  EXPECT_EQ(server.connections(), 1);
  carrier.drop();
  carrier.drop();
  EXPECT_EQ(carrier.carry(ping(), kLongMs), (Reply{Row{"PONG"}}));
  EXPECT_EQ(server.connections(), 2);
}

TEST(RedisConnection, begins_with_its_password_and_database) {
  std::vector<std::string> heard;
  {
    Listener server([&](Peer& peer) {
      for (std::string words; !(words = peer.hear()).empty() && peer.say("+OK\r\n");) heard.push_back(words);
    });
    RedisCarrier carrier(address_of(server, "app:s%20cret@", "/3"));
    carrier.carry(ping(), kLongMs);
    carrier.carry(ping(), kLongMs);
    carrier.drop();
  }
  EXPECT_EQ(heard, (std::vector<std::string>{"AUTH app s cret", "SELECT 3", "PING", "PING"}));
}

TEST(RedisConnection, tells_what_refused_it_without_the_password) {
  Listener server([](Peer& peer) {
    const std::string words = peer.hear();
    peer.say("-WRONGPASS you said " + words + "\r\n");
    peer.hear();
  });
  RedisCarrier carrier(address_of(server, "app:hunter2@"));
  const auto [code, reason] = failure_of(carrier, ping());
  EXPECT_EQ(code, "WRONGPASS");
  EXPECT_EQ(reason.find("hunter2"), std::string::npos) << reason;
  EXPECT_EQ(reason.find(address_of(server)), 0U) << reason;
}

TEST(RedisConnection, is_another_one_after_any_failure) {
  const char* const answers[] = {"-ERR no\r\n", "HTTP/1.1 400\r\n", "+PONG\r\n+PONG\r\n", "*1\r\n*1\r\n+a\r\n",
                                 "$5\r\nPONG\r\n\r\n"};
  for (const char* const answer : answers) {
    std::atomic<int> served{0};
    Listener server([&](Peer& peer) {
      if (served++ > 0) return answer_all(peer);
      peer.hear();
      peer.say(answer);
      peer.hear();  // the end
    });
    RedisCarrier carrier(address_of(server));
    EXPECT_NE(failure_of(carrier, ping()).first, "none") << answer;
    EXPECT_EQ(carrier.carry(ping(), kLongMs), (Reply{Row{"PONG"}}));
    EXPECT_EQ(server.connections(), 2);
  }
}

TEST(RedisConnection, that_ends_within_a_reply_is_a_failure) {
  for (const std::string half : {"", "$", "$4\r", "$4\r\nPO", "*2\r\n$1\r\na\r\n"}) {
    Listener server([&](Peer& peer) {
      peer.hear();
      peer.say(half);
    });
    RedisCarrier carrier(address_of(server));
    EXPECT_EQ(failure_of(carrier, ping()).first, "ECONNRESET");
  }
}

TEST(RedisConnection, that_was_reset_is_a_failure_of_a_command_of_any_size) {
  Listener server([&](Peer& peer) { peer.reset(); });
  RedisCarrier carrier(address_of(server));
  const Command large{"command", {{"SET", "a", std::string(std::size_t{4} << 20, 'x')}, {"key", "alone"}}};
  for (int i = 0; i < 50; ++i) {
    const std::string code = failure_of(carrier, i % 2 == 0 ? large : ping()).first;
    EXPECT_TRUE(code == "ECONNRESET" || code == "EPIPE") << code;
  }
}

// The process would end by SIGPIPE.
TEST(RedisConnection, raises_no_signal_when_it_sends_to_an_end_that_is_gone) {
  Listener server([&](Peer& peer) {
    peer.hear();  // so that the other end is open by then
    peer.reset();
  });
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(kLongMs);
  Connection connection;
  connection.open("127.0.0.1", std::to_string(server.port()), deadline);
  for (std::string code; code != "EPIPE";) {
    try {
      connection.send("*1\r\n$4\r\nPING\r\n", deadline);
    } catch (const ConnectionFailure& failure) {
      code = failure.code();
    }
  }
}

TEST(RedisConnection, that_ended_while_it_rested_is_made_anew_before_anything_is_sent) {
  Listener server([&](Peer& peer) {
    peer.hear();
    peer.say("+PONG\r\n");
  });
  RedisCarrier carrier(address_of(server));
  for (int i = 0; i < 20; ++i) {
    // The end may still be under way: then the command fails, and is not sent a second time.
    const std::string code = failure_of(carrier, ping()).first;
    EXPECT_TRUE(code == "none" || code == "ECONNRESET" || code == "EPIPE") << code;
  }
  EXPECT_GE(server.connections(), 10);
}

TEST(RedisConnection, that_got_bytes_unasked_is_not_used) {
  std::atomic<bool> said{false};
  std::atomic<int> served{0};
  Listener server([&](Peer& peer) {
    if (served++ > 0) return answer_all(peer);
    peer.hear();
    peer.say("+PONG\r\n");
    ::usleep(1000);
    peer.say("+LATE\r\n");
    said = true;
    peer.hear();
  });
  RedisCarrier carrier(address_of(server));
  const std::string first = failure_of(carrier, ping()).first;
  while (first == "none" && !said) std::this_thread::yield();
  for (int i = 0; i < 10; ++i) EXPECT_EQ(carrier.carry(ping(), kLongMs), (Reply{Row{"PONG"}}));
}

TEST(RedisConnection, that_is_new_is_no_place_for_a_command_that_belongs_to_the_former_one) {
  Listener server(answer_all);
  RedisCarrier carrier(address_of(server));
  EXPECT_NE(failure_of(carrier, ping("same")).first, "none");
  carrier.carry(ping("first"), kLongMs);
  carrier.carry(ping("same"), kLongMs);
  carrier.drop();
  EXPECT_NE(failure_of(carrier, ping("same")).first, "none");
}

TEST(RedisConnection, ends_at_its_deadline_whatever_the_server_does) {
  const std::function<void(Peer&)> ways[] = {
      [](Peer& peer) {
        peer.hear();
        peer.hear();
      },                // it never answers
      [](Peer& peer) {  // it answers byte by byte without an end
        peer.hear();
        for (peer.say("$1000000\r\n"); peer.say("x");) ::usleep(1000);
      },
      [](Peer& peer) {  // it sends values without an end
        peer.hear();
        for (peer.say("*60000000\r\n"); peer.say(":1\r\n");) ::usleep(1000);
      },
  };
  for (const auto& way : ways) {
    Listener server(way);
    RedisCarrier carrier(address_of(server));
    const auto began = std::chrono::steady_clock::now();
    EXPECT_EQ(failure_of(carrier, ping(), kShortMs).first, "ETIMEDOUT");
    EXPECT_GE(std::chrono::steady_clock::now() - began, std::chrono::milliseconds(kShortMs));
  }
  Listener deaf([](Peer& peer) {
    while (!peer.hear().empty()) ::usleep(1000);
  });
  RedisCarrier carrier(address_of(deaf));
  for (const std::int64_t none_ms : {0, -1}) EXPECT_EQ(failure_of(carrier, ping(), none_ms).first, "ETIMEDOUT");
}

TEST(RedisConnection, names_what_does_not_answer) {
  std::string address;
  {
    const Listener gone(answer_all);
    address = address_of(gone);
  }
  RedisCarrier refused(address), unknown("redis://no-such-host.invalid");
  EXPECT_EQ(failure_of(refused, ping()).first, "ECONNREFUSED");
  EXPECT_EQ(failure_of(unknown, ping()).first, "ENOTFOUND");
  const Command other{"get", {{"key"}}};
  EXPECT_NE(failure_of(refused, other).second, "");
}

// --- copies of the process ------------------------------------------------------------------------

TEST(RedisConnection, of_an_original_is_neither_used_nor_closed_by_its_copies) {
  // It serves one connection at a time: who opens another one is not answered.
  Listener server(answer_all);
  RedisCarrier carrier(address_of(server));
  carrier.carry(ping(), kLongMs);
  for (const Fork fork : kForksBesideThreads) {
    EXPECT_EQ(in_copy(fork, [&] { return failure_of(carrier, ping("same")).first == "none" ? "used" : "not used"; }),
              "not used");
    EXPECT_EQ(in_copy(fork,
                      [&] {
                        carrier.forked();
                        return failure_of(carrier, ping(), kShortMs).first;
                      }),
              "ETIMEDOUT")
        << "it waits on a connection of its own";
    EXPECT_EQ(in_copy(fork,
                      [&] {
                        carrier.drop();
                        {
                          RedisCarrier gone(address_of(server));
                        }
                        return std::string("dropped");
                      }),
              "dropped");
    EXPECT_EQ(carrier.carry(ping("same"), kLongMs), (Reply{Row{"PONG"}})) << "it is the one from before";
  }
}

}  // namespace
}  // namespace polyflake::test
