// Runs every test of tests/vectors/vectors.json through the public C++ API. The format is described in
// tests/vectors/README.md; there is no list of exceptions.
#include <polyflake/polyflake.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "fresh_home.hpp"

namespace polyflake::test {
namespace {

using Json = nlohmann::json;

struct Mismatch : std::runtime_error {
  using std::runtime_error::runtime_error;
};

std::string shown(const std::string& text) { return text; }
template <class Number>
std::string shown(Number number) {
  return std::to_string(number);
}

template <class A, class B>
void require_equal(const A& actual, const B& expected, const std::string& what) {
  if (actual != static_cast<A>(expected))
    throw Mismatch(what + " is " + shown(actual) + ", expected " + shown(A(expected)));
}

std::uint64_t number(const Json& value) {
  const std::string text = value.get<std::string>();
  std::size_t read = 0;
  const std::uint64_t parsed = std::stoull(text, &read);
  if (read != text.size() || text[0] == '-') throw Mismatch("not a number: " + text);
  return parsed;
}

std::int64_t signed_number(const Json& value) {
  const std::string text = value.get<std::string>();
  std::size_t read = 0;
  const std::int64_t parsed = std::stoll(text, &read);
  if (read != text.size()) throw Mismatch("not a number: " + text);
  return parsed;
}

// An id is given twice, in decimal and in hexadecimal.
std::uint64_t id_of(const Json& pair) {
  const std::uint64_t id = number(pair.at("id"));
  require_equal(std::stoull(pair.at("hex").get<std::string>(), nullptr, 16), id, "hex twin");
  return id;
}

void require_known_keys(const Json& object, const std::set<std::string>& known) {
  for (const auto& item : object.items()) {
    if (known.count(item.key()) == 0) throw Mismatch("unknown key " + item.key());
  }
}

// Runs `call`, and demands the error that the test or step names, if it names one.
void expecting(const Json& test, const std::function<void()>& call) {
  if (!test.contains("error")) return call();
  try {
    call();
  } catch (const Error& error) {
    require_equal(std::string(error.code_name()), test.at("error").get<std::string>(), "error code");
    for (const Json& words : test.value("message_has", Json::array())) {
      if (std::string(error.what()).find(words.get<std::string>()) == std::string::npos) {
        throw Mismatch("message does not say " + words.dump() + ": " + error.what());
      }
    }
    return;
  }
  throw Mismatch("no error, expected " + test.at("error").get<std::string>());
}

std::uint64_t encoded(const Json& test) {
  const Layout layout(test.at("layout").get<std::string>());
  std::uint64_t node = 0;
  for (const auto& [name, value] : test.at("fields").items()) node += layout.node_with(name, value.get<std::int64_t>());
  // A negative number is as far out of range as the huge one it converts to.
  const std::uint64_t tick = test.contains("tick") ? static_cast<std::uint64_t>(signed_number(test.at("tick")))
                                                   : layout.tick_at(signed_number(test.at("time_ms")));
  return layout.pack(tick, node, static_cast<std::uint64_t>(test.value("sequence", std::int64_t{0})));
}

void check_decode(const Json& test) {
  const Layout layout(test.at("layout").get<std::string>());
  const std::uint64_t id = id_of(test.at("input"));
  const Parts parts = layout.unpack(id);
  const Json& expect = test.at("expect");
  require_known_keys(expect, {"time_ms", "tick", "sequence", "node", "fields", "utc"});
  require_equal(parts.time_ms, signed_number(expect.at("time_ms")), "time_ms");
  require_equal(parts.tick, number(expect.at("tick")), "tick");
  require_equal(parts.sequence, expect.at("sequence").get<std::uint32_t>(), "sequence");
  require_equal(parts.node, number(expect.at("node")), "node");
  require_equal(layout.node_fields().size(), expect.at("fields").size(), "number of node fields");
  for (std::size_t i = 0; i < layout.node_fields().size(); ++i) {
    const std::string& name = layout.node_fields()[i].name;
    require_equal(parts.fields[i], expect.at("fields").at(name).get<std::uint32_t>(), name);
  }
  require_equal(layout.pack(parts), id, "packed again");
}

void check_layout(const Json& test) {
  const std::string op = test.at("op").get<std::string>();
  if (op == "decode") return check_decode(test);
  std::uint64_t id = 0;
  if (op == "encode") {
    id = encoded(test);
  } else if (op == "first_id") {
    id = Layout(test.at("layout").get<std::string>()).first_id(signed_number(test.at("time_ms")));
  } else if (op == "last_id") {
    id = Layout(test.at("layout").get<std::string>()).last_id(signed_number(test.at("time_ms")));
  } else {
    throw Mismatch("unknown operation " + op);
  }
  require_equal(id, id_of(test.at("expect")), "id");
}

void check_layout_text(const Json& test) {
  const std::string op = test.at("op").get<std::string>();
  if (op != "parse" && op != "preset") throw Mismatch("unknown operation " + op);
  const std::string text = test.at(op == "parse" ? "text" : "name").get<std::string>();
  const Layout layout = op == "parse" ? Layout::parse(text) : Layout::preset(text);
  const Json& expect = test.at("expect");
  require_equal(layout.text(), expect.at("text").get<std::string>(), "text");
  require_equal(layout.tick_ms(), expect.at("tick_ms").get<std::int64_t>(), "tick_ms");
  require_equal(layout.epoch_ms(), signed_number(expect.at("epoch_ms")), "epoch_ms");
  require_equal(layout.fields().size(), expect.at("fields").size(), "number of fields");
  for (std::size_t i = 0; i < layout.fields().size(); ++i) {
    require_equal(layout.fields()[i].name, expect.at("fields")[i][0].get<std::string>(), "field name");
    require_equal(layout.fields()[i].width, expect.at("fields")[i][1].get<unsigned>(), "field width");
  }
  require_equal(Layout(layout.text()).text(), layout.text(), "text read again");
}

void check_codec(const Json& test) {
  const std::string op = test.at("op").get<std::string>();
  const std::string codec = test.at("codec").get<std::string>();
  if (op == "encode") {
    const std::string text = to_text(id_of(test.at("input")), codec);
    require_equal(text, test.at("expect").at("text").get<std::string>(), "text");
  } else if (op == "decode") {
    const std::uint64_t id = from_text(test.at("text").get<std::string>(), codec);
    require_equal(id, id_of(test.at("expect")), "id");
  } else {
    throw Mismatch("unknown operation " + op);
  }
}

Worker worker_of(const Json& worker) {
  if (worker.is_number_integer()) return Worker(worker.get<std::int64_t>());
  if (worker.is_string()) return Worker(worker.get<std::string>());
  Worker::Fields fields;
  for (const auto& [name, value] : worker.items()) fields[name] = value.get<std::int64_t>();
  return Worker(fields);
}

std::unique_ptr<Generator> opened(const Json& test, const std::shared_ptr<ManualClock>& clock) {
  Options options;
  options.worker = worker_of(test.at("worker"));
  options.clock = clock;
  if (test.contains("layout")) options.layout = Layout(test.at("layout").get<std::string>());
  const Json given = test.value("options", Json::object());
  require_known_keys(given, {"max_wait_ms", "max_lead_ms", "sequence_spread", "ordering"});
  options.max_wait_ms = given.value("max_wait_ms", options.max_wait_ms);
  options.max_lead_ms = given.value("max_lead_ms", options.max_lead_ms);
  if (given.contains("sequence_spread")) options.sequence_spread = given.at("sequence_spread").get<std::int64_t>();
  if (given.contains("ordering")) options.ordering = parse_ordering(given.at("ordering").get<std::string>());
  return std::make_unique<Generator>(options);
}

void check_options(const Json& test) {
  const auto clock = std::make_shared<ManualClock>(signed_number(test.at("clock_ms")));
  const auto generator = opened(test, clock);
  require_equal(generator->worker(), number(test.at("expect").at("worker")), "worker");
}

void check_calls(Generator& generator, const Json& step) {
  std::vector<std::uint64_t> ids;
  if (step.contains("next")) {
    for (int i = step.at("next").get<int>(); i > 0; --i) ids.push_back(generator.next_id());
  } else if (step.contains("try")) {
    if (const auto id = generator.try_next_id()) ids.push_back(*id);
  } else {
    ids = generator.next_ids(step.at("batch").get<std::size_t>());
  }
  if (step.contains("ids")) {
    require_equal(ids.size(), step.at("ids").size(), "number of ids");
    for (std::size_t i = 0; i < ids.size(); ++i) require_equal(ids[i], number(step.at("ids")[i]), "id");
  } else {
    require_equal(ids.size(), step.at("batch").get<std::size_t>(), "size of the batch");
    require_equal(ids.front(), number(step.at("first")), "first id");
    require_equal(ids.back(), number(step.at("last")), "last id");
    require_equal(std::accumulate(ids.begin(), ids.end(), std::uint64_t{0}), number(step.at("sum")), "sum of the ids");
  }
}

void check_generator(const Json& test) {
  const auto clock = std::make_shared<ManualClock>(signed_number(test.at("clock_ms")));
  const auto generator = opened(test, clock);
  std::size_t number_of_step = 0;
  for (const Json& step : test.at("steps")) {
    ++number_of_step;
    if (step.contains("set")) {
      clock->set(signed_number(step.at("set")));
    } else if (step.contains("advance")) {
      clock->advance(step.at("advance").get<std::int64_t>());
    } else {
      try {
        expecting(step, [&] { check_calls(*generator, step); });
        require_equal(clock->time_ms(), signed_number(step.at("clock_ms")), "clock");
      } catch (const std::exception& error) {
        throw Mismatch("step " + std::to_string(number_of_step) + ": " + error.what());
      }
    }
  }
}

void check_published(const Json& test) {
  check_layout(test);
  if (test.contains("preset")) {
    require_equal(Layout::preset(test.at("preset").get<std::string>()).text(), test.at("layout").get<std::string>(),
                  "preset");
  }
}

const std::map<std::string, void (*)(const Json&)> kGroups = {
    {"layout", check_layout},   {"layout_text", check_layout_text}, {"codec", check_codec},
    {"options", check_options}, {"generator", check_generator},     {"published", check_published},
};

bool passes(const Json& test, void (*check)(const Json&)) {
  const FreshHome home;
  try {
    expecting(test, [&] { check(test); });
    return true;
  } catch (const std::exception& error) {
    ADD_FAILURE() << "test " << test.at("id") << " (" << test.at("comment") << "): " << error.what();
    return false;
  }
}

TEST(Vectors, all_pass) {
  std::ifstream file(POLYFLAKE_VECTORS);
  const Json document = Json::parse(file);
  for (const auto& item : document.items()) {
    const std::set<std::string> known = {"about", "number_of_tests", "flags", "groups"};
    EXPECT_EQ(known.count(item.key()), 1U) << "unknown part of the document: " << item.key();
  }
  std::size_t passed = 0;
  std::set<std::string> seen;
  for (const Json& group : document.at("groups")) {
    const std::string name = group.at("name").get<std::string>();
    ASSERT_EQ(kGroups.count(name), 1U) << "unknown group " << name;
    seen.insert(name);
    for (const Json& test : group.at("tests")) passed += passes(test, kGroups.at(name)) ? 1 : 0;
  }
  const auto expected = document.at("number_of_tests").get<std::size_t>();
  std::printf("vectors: %zu of %zu passed (c++)\n", passed, expected);
  EXPECT_EQ(passed, expected);
  EXPECT_EQ(seen.size(), kGroups.size());
}

}  // namespace
}  // namespace polyflake::test
