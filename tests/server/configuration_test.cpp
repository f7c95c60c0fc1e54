// The configuration of the server: what is read, and what each mistake is told, with its line.
#include "configuration/configuration.hpp"

#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

#include "configuration/keys.hpp"

namespace polyflake::server {
namespace {

using Protocol = ListenerConfiguration::Protocol;

constexpr char kGenerator[] = "[generator.orders]\nworker = 7\n";
constexpr char kListener[] = "[[listener]]\nprotocol = \"resp\"\naddress = \"127.0.0.1:6400\"\n";
constexpr char kRedis[] = "redis://user:hunter2@127.0.0.1:6379/0?namespace=shop";

Configuration read(const std::string& text) { return read_configuration(text, "server.toml"); }

// Returns the refusal of a text; "" if it is taken.
std::string refusal_of_text(const std::string& text) {
  try {
    read(text);
    return "";
  } catch (const ConfigurationError& error) {
    return error.what();
  }
}

// Expects a refusal that names the line and contains the words, and none of an address.
void expect_refused(const std::string& text, int line, const std::string& words) {
  const std::string said = refusal_of_text(text);
  EXPECT_EQ(said.rfind("server.toml:" + std::to_string(line) + ": ", 0), 0U) << said << "\nfor:\n" << text;
  EXPECT_NE(said.find(words), std::string::npos) << said << "\nlacks: " << words;
  EXPECT_EQ(said.find("hunter2"), std::string::npos) << said;
  for (const char c : said) EXPECT_TRUE(c >= ' ' && c <= '~') << said;
}

// The line is line 1.
std::string with_top(const std::string& line) { return line + "\n" + kGenerator + kListener; }
// The line is line 2.
std::string with_worker(const std::string& line) { return "[generator.orders]\n" + line + "\n" + kListener; }
std::string with_counter(const std::string& lines) { return "[counter.tickets]\n" + lines + "\n" + kListener; }
// Lines from line 4 on.
std::string with_listener(const std::string& lines) { return kGenerator + ("[[listener]]\n" + lines) + "\n"; }
std::string with_address(const std::string& address) {
  return with_listener("protocol = \"http\"\naddress = \"" + address + "\"");
}

TEST(Configuration, the_shortest_one_has_the_defaults) {
  const Configuration found = read(std::string(kGenerator) + kListener);
  EXPECT_EQ(found.limits.max_batch, 10'000U);
  EXPECT_EQ(found.limits.max_wait_ms, 500);
  EXPECT_EQ(found.limits.max_connections, 10'000U);
  EXPECT_EQ(found.limits.max_pending_bytes, std::size_t{64} << 20);
  EXPECT_EQ(found.drain_ms, 5000);
  EXPECT_EQ(found.registry + found.unknown_keys, "");
  ASSERT_EQ(found.generators.size(), 1U);
  EXPECT_EQ(found.generators[0].name, "orders");
  EXPECT_EQ(found.generators[0].layout, Layout("polyflake"));
  EXPECT_EQ(std::get<std::int64_t>(found.generators[0].worker.value()), 7);
  ASSERT_EQ(found.listeners.size(), 1U);
  EXPECT_EQ(found.listeners[0].protocol, Protocol::resp);
  EXPECT_EQ(found.listeners[0].host, "127.0.0.1");
  EXPECT_EQ(found.listeners[0].port, 6400);
}

TEST(Configuration, the_table_of_keys_names_the_defaults_that_are_used) {
  const SegmentOptions counter;
  const std::vector<std::pair<std::string, std::string>> defaults = {
      {"max_batch", std::to_string(Limits{}.max_batch)},
      {"max_wait_ms", std::to_string(Limits{}.max_wait_ms)},
      {"max_connections", std::to_string(Limits{}.max_connections)},
      {"max_pending_bytes", std::to_string(Limits{}.max_pending_bytes)},
      {"drain_ms", std::to_string(Configuration{}.drain_ms)},
      {"layout", "polyflake"},
      {"hold_ms", std::to_string(counter.hold_ms)},
      {"timeout_ms", std::to_string(counter.timeout_ms)}};
  for (const auto& [name, value] : defaults) {
    bool found = false;
    for (const Key& key : kKeys) found = found || (key.name == name && key.fallback == value);
    EXPECT_TRUE(found) << name << " " << value;
    EXPECT_NE(table_of_keys().find("`" + name + "`"), std::string::npos);
  }
}

TEST(Configuration, numbers_at_the_top_have_ranges) {
  for (const Key& key : kKeys) {
    if (*key.section != 0 || key.type != Key::Type::integer) continue;
    const std::string name = key.name;
    EXPECT_EQ(refusal_of_text(with_top(name + " = " + std::to_string(key.least))), "");
    EXPECT_EQ(refusal_of_text(with_top(name + " = " + std::to_string(key.greatest))), "");
    expect_refused(with_top(name + " = " + std::to_string(key.least - 1)), 1, name + ": ");
    if (key.greatest != INT64_MAX) {
      expect_refused(with_top(name + " = " + std::to_string(key.greatest + 1)), 1, "it may be ");
    }
    expect_refused(with_top(name + " = \"7\""), 1, "a whole number, ");
    expect_refused(with_top(name + " = 7.5"), 1, "not a fraction");
  }
  const Configuration found =
      read(with_top("max_batch = 5\nmax_wait_ms = 6\nmax_connections = 7\n"
                    "max_pending_bytes = 2000000\ndrain_ms = 8"));
  EXPECT_EQ(found.limits.max_batch, 5U);
  EXPECT_EQ(found.limits.max_wait_ms, 6);
  EXPECT_EQ(found.limits.max_connections, 7U);
  EXPECT_EQ(found.limits.max_pending_bytes, 2'000'000U);
  EXPECT_EQ(found.drain_ms, 8);
}

TEST(Configuration, an_unknown_key_is_told_those_that_there_are) {
  expect_refused(with_top("max_bach = 7"), 1,
                 "the top of the file has no key 'max_bach'; there are registry, unknown_keys, max_batch");
  expect_refused(with_worker("worker = 7\nlayuot = \"leaf\""), 3,
                 "[generator.orders] has no key 'layuot'; there are worker, layout");
  expect_refused(with_worker("worker = 7\nmax_batch = 7"), 3, "it belongs to the top of the file");
  expect_refused(with_listener("leef = true"), 4,
                 "there are protocol, address, insecure, certificate, key, client_ca, leaf, generator");
  expect_refused(with_listener("worker = 7"), 4, "it belongs to [generator.NAME]");
  expect_refused(with_top("[generators.x]\nworker = 7"), 1, "there are registry");
  expect_refused(with_top("tls = true"), 1, "there are registry, unknown_keys");
  expect_refused(with_top("\"user:hunter2@h\" = 1"), 1, "not shown");
}

TEST(Configuration, a_worker_is_needed) {
  expect_refused("[generator.orders]\n" + std::string(kListener), 1,
                 "there is no default source, since in containers each replica would take node id 0");
  expect_refused(with_worker("layout = \"leaf\""), 1, "worker of [generator.orders] is missing");
}

TEST(Configuration, a_worker_has_a_node_id_of_the_layout) {
  EXPECT_EQ(refusal_of_text(with_worker("worker = 0")), "");
  EXPECT_EQ(refusal_of_text(with_worker("worker = 1023")), "");
  expect_refused(with_worker("worker = 1024"), 2, "node id 1024 is not of this layout, which has 0 to 1023");
  expect_refused(with_worker("worker = -1"), 2, "0 to 1023");
  expect_refused(with_worker("worker = \"7\""), 2, "worker = 7");
  expect_refused(with_worker("worker = true"), 2, "not true or false");
  const std::string twitter = "layout = \"twitter\"\n";
  const Configuration found = read(with_worker(twitter + "worker = {datacenter = 1, worker = 7}"));
  const Worker::Fields fields{{"datacenter", 1}, {"worker", 7}};
  EXPECT_EQ(std::get<Worker::Fields>(found.generators[0].worker.value()), fields);
  expect_refused(with_worker(twitter + "worker = {datacenter = 1}"), 3, "node field 'worker' has no number");
  expect_refused(with_worker(twitter + "worker = {datacenter = 32, worker = 0}"), 3, "datacenter");
  expect_refused(with_worker(twitter + "worker = {rack = 1}"), 3, "rack");
  expect_refused(with_worker(twitter + "worker = {datacenter = \"1\", worker = 0}"), 3, "is a whole number");
}

TEST(Configuration, a_worker_of_the_host_needs_a_registry_that_exists) {
  for (const std::string worker : {"host", "host:7"}) {
    const std::string rest = "[generator.orders]\nworker = \"" + worker + "\"\n" + kListener;
    const Configuration found = read("registry = \"/tmp\"\n" + rest);
    EXPECT_EQ(found.registry, "/tmp");
    EXPECT_TRUE(found.generators[0].by_host);
    EXPECT_EQ(std::get<std::string>(found.generators[0].worker.value()), worker);
    expect_refused(rest, 1, "registry is missing: the worker of [generator.orders] needs");
    expect_refused("registry = \"/tmp/not-mounted\"\n" + rest, 1, "there is no folder '/tmp/not-mounted'");
    expect_refused("registry = \"tmp\"\n" + rest, 1, "absolute");
    expect_refused("registry = \"/tmp\\u0000x\"\n" + rest, 1, "control characters");
  }
  expect_refused(with_top("registry = \"/tmp\""), 1, "no generator has a worker");
  expect_refused(with_worker("worker = \"host:1024\""), 2, "0 to 1023");
  expect_refused(with_worker("worker = \"host:07\""), 2, "behind \"host:\"");
  expect_refused(with_worker("worker = \"host:\""), 2, "behind \"host:\"");
}

TEST(Configuration, other_sources_in_quotes_are_ordinal_and_stores) {
  EXPECT_FALSE(read(with_worker("worker = \"ordinal\"")).generators[0].by_host);
  expect_refused(with_worker("worker = \"hots\""), 2, "'hots' is not a source of node ids");
  expect_refused(with_worker("worker = \"user:hunter2@h\""), 2, "is not a source of node ids");
  EXPECT_EQ(read(with_worker("worker = \"" + std::string(kRedis) + "\"")).generators[0].store, kRedis);
  const auto store = [](const std::string& address) { return with_worker("worker = \"" + address + "\""); };
  expect_refused(store("redis://user:hunter2@h"), 2, "needs a namespace");
  expect_refused(store("rediss://user:hunter2@h?namespace=n"), 2, "redis://");
  expect_refused(store("mysql://user:hunter2@h/d?namespace=n"), 2, "it has: redis");
  expect_refused(store("memory://x?namespace=n"), 2, "it has: redis");
  expect_refused(store("redos://user:hunter2@h?namespace=n"), 2, "did you mean redis");
  expect_refused(store("redis://user:hunter2@h?namespace=n&window_ms=2"), 2, "window_ms");
  expect_refused(store("redis://user:hunter2@h?namespace=n&ssl=1"), 2, "");
  EXPECT_EQ(refusal_of_text(store("redis://h?namespace=n&uuid=0123456789abcdef0123456789abcdef")), "");
}

TEST(Configuration, a_layout_is_a_preset_or_a_text) {
  EXPECT_EQ(read(with_worker("worker = 7\nlayout = \"leaf\"")).generators[0].layout, Layout("leaf"));
  expect_refused(with_worker("worker = 7\nlayout = \"laef\""), 3, "laef");
  expect_refused(with_worker("layout = \"timestamp:41\"\nworker = 7"), 2, "layout of [generator.orders]: ");
}

TEST(Configuration, a_counter_is_one_of_a_store) {
  const std::string store = "store = \"" + std::string(kRedis) + "\"";
  const CounterConfiguration plain = read(with_counter(store)).counters[0];
  EXPECT_EQ(plain.name, plain.options.name);
  EXPECT_EQ(plain.store, kRedis);
  EXPECT_FALSE(plain.options.step);
  EXPECT_TRUE(plain.options.label);
  const CounterConfiguration full =
      read(with_counter("store = \"redis://h?namespace=n&label=0\"\ncounter = \"a\"\nstep = 1\nhold_ms = 2\n"
                        "timeout_ms = 3"))
          .counters[0];
  EXPECT_EQ(full.options.name, "a");
  EXPECT_EQ(full.options.step, 1U);
  EXPECT_EQ(full.options.hold_ms, 2);
  EXPECT_EQ(full.options.timeout_ms, 3);
  EXPECT_FALSE(full.options.label);
  expect_refused(with_counter(""), 1, "store of [counter.tickets] is missing");
  expect_refused(with_counter(store + "\ncounter = \"A b\""), 3, "the name of a counter");
  expect_refused(with_counter(store + "\nstep = 0"), 3, "step");
  expect_refused(with_counter(store + "\nstep = 9000000000000000000"), 3, "step");
  expect_refused(with_counter(store + "\nhold_ms = 3000000000"), 3, "hold_ms");
  expect_refused(with_counter(store + "\ntimeout_ms = 3000000000"), 3, "timeout_ms");
  expect_refused(with_counter("store = \"mysql://h/d?namespace=n\""), 2, "it has: redis");
  expect_refused(with_counter("store = \"hunter2\""), 2, "begins with");
}

TEST(Configuration, names_are_plain_and_there_once) {
  expect_refused("[generator.\"a b\"]\nworker = 7\n" + std::string(kListener), 1, "1 to 64 of A-Z a-z 0-9 _ . -");
  expect_refused("[generator.\"\"]\nworker = 7\n" + std::string(kListener), 1, "1 to 64");
  expect_refused("[generator." + std::string(65, 'a') + "]\nworker = 7\n" + kListener, 1, "1 to 64");
  EXPECT_EQ(refusal_of_text("[generator.\"A.b_c-" + std::string(58, '9') + "\"]\nworker = 7\n" + kListener), "");
  expect_refused(kGenerator + std::string(kGenerator), 3, "cannot redefine");
  expect_refused(kGenerator + ("[counter.orders]\nstore = \"" + std::string(kRedis) + "\"\n") + kListener, 3,
                 "a generator has the name of [counter.orders], too");
  expect_refused("[generator]\nworker = 7\n" + std::string(kListener), 2, "write [generator.NAME]");
  expect_refused("[[counter]]\nstep = 7\n" + std::string(kListener), 1, "write [counter.NAME]");
  expect_refused(kListener, 1, "there is nothing to serve");
  EXPECT_EQ(read(with_top("unknown_keys = \"orders\"")).unknown_keys, "orders");
  expect_refused(with_top("unknown_keys = \"users\""), 1, "'users'");
  expect_refused(with_top("unknown_keys = \"\""), 1, "no section [generator.NAME]");
}

TEST(Configuration, an_address_is_numeric_or_a_path) {
  EXPECT_EQ(read(with_address("localhost:0")).listeners[0].host, "127.0.0.1");
  EXPECT_EQ(read(with_address("[::1]:65535")).listeners[0].host, "::1");
  EXPECT_EQ(read(with_address("127.9.9.9:1")).listeners[0].port, 1);
  EXPECT_EQ(read(with_address("unix:/run/ids.sock")).listeners[0].path, "/run/ids.sock");
  EXPECT_EQ(read(with_address("systemd:ids")).listeners[0].passed, "ids");
  EXPECT_EQ(refusal_of_text(with_address("systemd:" + std::string(255, 'a'))), "");
  expect_refused(with_address("systemd:" + std::string(256, 'a')), 5, "1 to 255 bytes without a colon");
  EXPECT_EQ(refusal_of_text(with_address("unix:/" + std::string(106, 'a'))), "");
  expect_refused(with_address("unix:/" + std::string(107, 'a')), 5, "has at most 107 bytes, and this one 108");
  for (const std::string wrong : {"127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:+1", "127.0.0.1:7x",
                                  "example.org:80", "::1:80", "[127.0.0.1]:80", ":80", "unix:run/x", "unix:", "*:80"}) {
    expect_refused(with_address(wrong), 5, "an address is ");
  }
  expect_refused(with_listener("protocol = \"http\""), 3, "address of [[listener]] is missing");
  expect_refused(with_listener("address = \"localhost:1\""), 3, "protocol of [[listener]] is missing");
  expect_refused(with_listener("address = \"localhost:1\"\nprotocol = \"grpc\""), 5, "'grpc' is not a protocol");
}

TEST(Configuration, an_address_that_other_hosts_reach_is_asked_for) {
  for (const std::string address : {"0.0.0.0:80", "[::]:80", "10.0.0.1:80", "[::ffff:127.0.0.1]:80"}) {
    expect_refused(with_address(address), 5, "insecure = true");
    EXPECT_EQ(refusal_of_text(with_address(address) + "insecure = true\n"), "");
    expect_refused(with_address(address) + "insecure = 1\n", 6, "true or false, without quotes,");
  }
}

TEST(Configuration, listeners_are_a_list_without_equal_addresses) {
  expect_refused(kGenerator, 1, "write a section [[listener]]");
  expect_refused(kGenerator + std::string("[listener]\nprotocol = \"resp\"\n"), 3, "with two brackets");
  expect_refused("listener = 7\n" + std::string(kGenerator), 1, "with two brackets");
  expect_refused(kGenerator + std::string(kListener) + kListener, 8, "another listener has this address");
  expect_refused(with_address("unix:/tmp/a") + "[[listener]]\nprotocol = \"resp\"\naddress = \"unix:/tmp/./a\"\n", 8,
                 "another listener");
  EXPECT_EQ(read(with_address("localhost:0") + "[[listener]]\nprotocol = \"resp\"\naddress = \"localhost:0\"\n")
                .listeners.size(),
            2U);
}

TEST(Configuration, keys_of_a_protocol_belong_to_it) {
  EXPECT_TRUE(read(with_address("localhost:1") + "leaf = true\n").listeners[0].leaf);
  expect_refused(with_listener("protocol = \"resp\"\naddress = \"localhost:1\"\nleaf = true"), 6, "paths of HTTP");
  expect_refused(with_address("localhost:1") + "generator = \"orders\"\n", 6, "requests of this protocol name");
  const std::string thrift = with_listener("protocol = \"thrift\"\naddress = \"localhost:1\"");
  EXPECT_EQ(read(thrift).listeners[0].generator, "orders");
  EXPECT_EQ(read(thrift + "generator = \"orders\"\n").listeners[0].generator, "orders");
  expect_refused(thrift + "generator = \"users\"\n", 6, "'users'");
  expect_refused(thrift + "[generator.users]\nworker = 8\n", 3, "generator of [[listener]] is missing");
}

TEST(Configuration, a_text_that_is_no_toml_is_refused_by_its_line) {
  expect_refused("\nworker = redis://user:hunter2@h", 2, "a text needs quotes");
  expect_refused("\nstore = \"redis://user:hunter2@h\n", 2, "is a closing quote missing?");
  expect_refused("a = truehunter2", 1, "column ");
  expect_refused("# \xff", 1, "utf-8");
  expect_refused("\xc3\xa9 = 7", 1, "not of ASCII");
  expect_refused("a = \"\\\"\xc3\xa9\"", 1, "not of ASCII");
  EXPECT_EQ(refusal_of_text("\xef\xbb\xbf" + with_top("max_batch = 7 # \xc3\xa9 \xe4\xb8\xad [")), "");
  expect_refused("a = [7]", 1, "a list in brackets");
  expect_refused("a = {b = [}}", 1, "a list in brackets");
  expect_refused("\na = \"\"\"\n\"\"\"", 2, "a text of several lines");
  expect_refused("b == 3", 1, "column 4");
  expect_refused("a = 99999999999999999999", 1, "(not shown)");
  expect_refused("max_batch = 5\nmax_batch = 6\n", 2, "cannot redefine");
  expect_refused("\na = \"" + std::string(4096, 'x') + "\"", 2, "at most 4096 bytes");
  expect_refused(std::string((1 << 20) + 1, '\n'), 1, "at most 1 MiB");
  for (const std::string head : {"[=x]", " [ [x]]", "[[]]", "[.a]", "[", "\xef\xbb\xbf[\xff]"}) {
    expect_refused(head + "\n", 1, "behind '[' the name of a section is needed");
  }
}

}  // namespace
}  // namespace polyflake::server
