// The connections of a carrier of C++: to a real store, and to servers of this process that end, hang or answer wrongly.
// tested_store.hpp says which store it is. No test has an upper limit of time: what must end is waited for.
#include <polyflake/polyflake.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

#include "copies.hpp"
#include "expect_error.hpp"
#include "listener.hpp"
#include "stores_in_trouble.hpp"
#include "tested_store.hpp"

namespace polyflake::test {
namespace {

constexpr std::int64_t kShortMs = 50;

std::string place_of(const Listener& server) { return "127.0.0.1:" + std::to_string(server.port()); }

std::string address_of_places(const std::string& places) { return std::string(kTestedStore.kind) + "://" + places; }

// The address of the real server with other hosts in the place of its own.
std::string address_with(const std::string& places) {
  const std::string address = address_of(kTestedStore.server), host = "127.0.0.1:";
  const std::size_t begin = address.find(host);
  const std::size_t end = address.find_first_not_of("0123456789", begin + host.size());
  return address.substr(0, begin) + places + (end == std::string::npos ? "" : address.substr(end));
}

std::string place_of_real_server() {
  const std::string address = address_of(kTestedStore.server);
  const std::size_t begin = address.find("127.0.0.1:");
  return address.substr(begin, address.find_first_not_of("0123456789.:", begin) - begin);
}

// The code of the failure, and its reason; "none" if there is none.
std::pair<std::string, std::string> failure_of(Carrier& carrier, std::int64_t timeout_ms = kLongMs,
                                               const lease::Command& command = kTestedStore.harmless) {
  try {
    carrier.carry(command, timeout_ms);
  } catch (const lease::CommandFailure& failure) {
    return {failure.code(), failure.what()};
  }
  return {"none", ""};
}

void hear_to_the_end(Peer& peer) {
  while (!peer.hear_some().empty()) {
  }
}

TEST(CarrierConnections, serve_one_command_after_the_other_and_are_another_one_after_a_drop) {
  const auto carrier = kTestedStore.carrier(address_of(kTestedStore.server));
  for (int i = 0; i < 50; ++i) {
    carrier->carry(kTestedStore.harmless, kLongMs);
    if (i % 10 == 0) carrier->drop();
    if (i % 20 == 0) carrier->drop();
  }
}

TEST(CarrierConnections, refuse_what_is_no_command_of_their_store) {
  const auto carrier = kTestedStore.carrier(address_of(kTestedStore.server));
  const lease::Command others[] = {{"", {}},
                                   {"eval", {{"a"}}},
                                   {"transaction", {{"a", "b"}}},
                                   {"txn", {{"compare", "a"}}},
                                   {"multi", {{"set"}}},
                                   {"multi", {{"other", "/"}}},
                                   {"command", {{"PING"}}},
                                   {"get", {{}}},
                                   {"txn", {{}}},
                                   {"children", {{}}}};
  for (const lease::Command& other : others) {
    EXPECT_NE(failure_of(*carrier, kLongMs, other).first, "none") << other.name;
  }
  carrier->carry(kTestedStore.harmless, kLongMs);
}

TEST(CarrierConnections, end_at_the_deadline_whatever_the_server_does) {
  const std::function<void(Peer&)> ways[] = {hear_to_the_end,  // it never answers
                                             [](Peer& peer) {  // it answers byte by byte without an end
                                               peer.hear_some();
                                               while (peer.say("H")) ::usleep(1000);
                                             },
                                             [](Peer& peer) {  // it reads nothing
                                               ::usleep(static_cast<unsigned>(5 * kShortMs * 1000));
                                               hear_to_the_end(peer);
                                             }};
  for (const auto& way : ways) {
    Listener server(way);
    const auto carrier = kTestedStore.carrier(address_of_places(place_of(server)));
    const auto began = std::chrono::steady_clock::now();
    const std::string code = failure_of(*carrier, kShortMs).first;
    if (&way == &ways[1]) {
      EXPECT_NE(code, "none") << "the bytes are no answer";
    } else {
      EXPECT_EQ(code, "ETIMEDOUT");
      EXPECT_GE(std::chrono::steady_clock::now() - began, std::chrono::milliseconds(kShortMs));
    }
  }
  const auto carrier = kTestedStore.carrier(address_of(kTestedStore.server));
  for (const std::int64_t none_ms : {0, -1}) EXPECT_EQ(failure_of(*carrier, none_ms).first, "ETIMEDOUT");
}

TEST(CarrierConnections, fail_if_the_server_ends_them_or_answers_wrongly) {
  const std::string answers[] = {"",
                                 "\r\n",
                                 "HTTP/1.1 200 OK\r\n\r\n",
                                 "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n{}",
                                 "-ERR no\r\n",
                                 std::string(64, '\0'),
                                 std::string(64, '\xff'),
                                 "+PONG\r\n+PONG\r\n"};
  for (const std::string& answer : answers) {
    Listener server([&](Peer& peer) {
      peer.hear_some();
      peer.say(answer);
    });
    const auto carrier = kTestedStore.carrier(address_of_places(place_of(server)));
    for (int i = 0; i < 3; ++i) EXPECT_NE(failure_of(*carrier, 1000).first, "none") << answer;
    EXPECT_GE(server.connections(), 3);
  }
}

TEST(CarrierConnections, that_are_reset_are_failures) {
  Listener server([&](Peer& peer) { peer.reset(); });
  const auto carrier = kTestedStore.carrier(address_of_places(place_of(server)));
  for (int i = 0; i < 20; ++i) {
    const std::string code = failure_of(*carrier).first;
    EXPECT_TRUE(code == "ECONNRESET" || code == "EPIPE") << code;
  }
}

TEST(CarrierConnections, name_what_does_not_answer) {
  std::string place;
  {
    const Listener gone(hear_to_the_end);
    place = place_of(gone);
  }
  const auto refused = kTestedStore.carrier(address_of_places(place));
  const auto unknown = kTestedStore.carrier(address_of_places("no-such-host.invalid"));
  const auto [code, reason] = failure_of(*refused);
  EXPECT_EQ(code, "ECONNREFUSED");
  EXPECT_EQ(reason.find(address_of_places(place)), 0U) << reason;
  EXPECT_EQ(failure_of(*unknown).first, "ENOTFOUND");
}

// The process would end by SIGPIPE.
TEST(CarrierConnections, to_a_server_that_was_killed_raise_no_signal_and_are_made_anew) {
  const std::string server = kTestedStore.server;
  const auto carrier = kTestedStore.carrier(address_of(server));
  for (int round = 0; round < 2; ++round) {
    carrier->carry(kTestedStore.harmless, kLongMs);
    control("kill " + server);
    EXPECT_NE(failure_of(*carrier).first, "none");
    carrier->drop();
    EXPECT_EQ(failure_of(*carrier).first, "ECONNREFUSED");
    control("start " + server);
    carrier->carry(kTestedStore.harmless, kLongMs);
  }
  carrier->carry(kTestedStore.harmless, kLongMs);
  control("restart " + server);
  // The end of the old connection is seen before anything is sent, or may still be under way.
  EXPECT_TRUE(comes([&] { return failure_of(*carrier).first == "none"; }));
}

TEST(CarrierConnections, to_a_server_that_is_paused_end_at_the_deadline_and_are_made_anew) {
  const std::string server = kTestedStore.server;
  const auto carrier = kTestedStore.carrier(address_of(server));
  carrier->carry(kTestedStore.harmless, kLongMs);
  control("pause " + server);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(failure_of(*carrier, kShortMs).first, "ETIMEDOUT");
    carrier->drop();
  }
  control("resume " + server);
  EXPECT_TRUE(comes([&] { return failure_of(*carrier).first == "none"; }));
}

TEST(CarrierConnections, of_several_hosts_are_made_to_one_that_answers) {
  if (!kTestedStore.takes_many_hosts) {
    EXPECT_ERROR(kTestedStore.carrier(address_of_places("a,b")), worker_source_invalid);
    return;
  }
  Listener silent(hear_to_the_end);
  std::string gone;
  {
    const Listener ended(hear_to_the_end);
    gone = place_of(ended);
  }
  const std::string real = place_of_real_server();
  for (const std::string& places : {gone + "," + real, place_of(silent) + "," + real, real + "," + gone,
                                    gone + "," + place_of(silent) + "," + real}) {
    const auto carrier = kTestedStore.carrier(address_with(places));
    EXPECT_TRUE(comes([&] { return failure_of(*carrier, 1000).first == "none"; })) << places;
    EXPECT_EQ(failure_of(*carrier, kLongMs).first, "none") << "it stays: " << places;
  }
}

TEST(CarrierConnections, take_the_name_of_a_host) {
  const std::string port = place_of_real_server().substr(std::string("127.0.0.1").size());
  const auto carrier = kTestedStore.carrier(address_with("localhost" + port));
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(failure_of(*carrier).first, "none");
    carrier->drop();
  }
}

// The ports of this process that are connected to the real server.
std::set<int> ports_to_real_server() {
  const std::string place = place_of_real_server();
  const int server = std::stoi(place.substr(place.find(':') + 1));
  std::set<int> ports;
  for (int fd = 3; fd < 1024; ++fd) {
    sockaddr_in here{}, there{};
    socklen_t size = sizeof here;
    if (::getpeername(fd, reinterpret_cast<sockaddr*>(&there), &size) != 0 || ntohs(there.sin_port) != server) continue;
    size = sizeof here;
    if (::getsockname(fd, reinterpret_cast<sockaddr*>(&here), &size) == 0) ports.insert(ntohs(here.sin_port));
  }
  return ports;
}

TEST(CarrierConnections, of_an_original_are_neither_used_nor_ended_by_its_copies) {
  const auto carrier = kTestedStore.carrier(address_of(kTestedStore.server));
  const auto use = [&] { return failure_of(*carrier).first; };
  EXPECT_EQ(use(), "none");
  const std::set<int> ports = ports_to_real_server();
  EXPECT_EQ(ports.size(), 1U);
  for (const Fork fork : kForksBesideThreads) {
    EXPECT_EQ(in_copy(fork, [&] { return use() + use(); }), "nonenone") << "even if it is not told";
    EXPECT_EQ(in_copy(fork,
                      [&] {
                        carrier->forked();
                        return use() + use();
                      }),
              "nonenone");
    EXPECT_EQ(in_copy(fork,
                      [&] {
                        carrier->drop();
                        carrier->forked();
                        carrier->drop();
                        kTestedStore.carrier(address_of(kTestedStore.server))->carry(kTestedStore.harmless, kLongMs);
                        return std::string("dropped");
                      }),
              "dropped");
    EXPECT_EQ(use(), "none");
    EXPECT_EQ(ports_to_real_server(), ports) << "it is the connection from before";
  }
}

// A daemon does so; its next file has the number of the socket.
TEST(CarrierConnections, that_an_application_closed_are_made_anew_and_its_file_is_left_alone) {
  EXPECT_EQ(in_copy(plain_fork,
                    [&]() -> std::string {
                      const auto carrier = kTestedStore.carrier(address_of(kTestedStore.server));
                      carrier->carry(kTestedStore.harmless, kLongMs);
                      int ends[2];
                      if (::pipe(ends) != 0) return "there is no pipe";
                      std::vector<int> closed;
                      for (int fd = 3; fd < 1024; ++fd) {
                        sockaddr_in peer{};
                        socklen_t size = sizeof peer;
                        if (::getpeername(fd, reinterpret_cast<sockaddr*>(&peer), &size) != 0) continue;
                        ::close(fd);
                        closed.push_back(fd);
                      }
                      if (closed.empty()) return "no socket was found";
                      for (const int fd : closed) ::dup2(ends[1], fd);
                      const std::string again = failure_of(*carrier).first;
                      carrier->drop();
                      if (::write(closed.front(), "x", 1) != 1) return "the file was closed";
                      char byte = ' ';
                      if (::read(ends[0], &byte, 1) != 1 || byte != 'x') return "the file was written to";
                      return again;
                    }),
            "none");
}

}  // namespace
}  // namespace polyflake::test
