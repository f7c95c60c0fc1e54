// The groups of kinds of ids.
#include <polyflake/kinds.hpp>
#include <polyflake/object_ids.hpp>
#include <polyflake/uuid4.hpp>
#include <polyflake/uuid7.hpp>

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <optional>
#include <vector>

#include "vectors.hpp"

namespace polyflake::test {
namespace {

std::string op_of(const Json& test) { return test.at("op").get<std::string>(); }
std::string text_of(const Json& test) { return test.at("text").get<std::string>(); }

// Parses both: their bytes are all there is.
template <class Value>
void check_parse(const Json& test) {
  const Value id = Value::parse(text_of(test));
  const std::string hex = test.at("expect").at("hex").get<std::string>();
  require_equal(std::string(id.bytes.begin(), id.bytes.end()), bytes_of(hex), "bytes");
  require_equal(id.text(), text_of(test), "text written again");
}

template <class Value>
void check_edge(const Json& test, const Value& id) {
  require_equal(id.text(), test.at("expect").at("text").get<std::string>(), "text");
}

// What an own kind was opened with.
struct Asked {
  std::string kind;
  std::optional<std::string> store;
};
Asked asked;

class OwnSource final : public IdSource {
 public:
  const char* kind() const override { return asked.kind.c_str(); }
  std::string next_id_string() override { return ""; }
  std::size_t id_bytes() const override { return 1; }
  void fill_bytes(unsigned char* ids, std::size_t n) override { std::fill_n(ids, n, static_cast<unsigned char>(0)); }
  void close() noexcept override {}
  bool closed() const noexcept override { return false; }
  Stats stats() const override { return {}; }
};

void register_own_kinds() {
  for (const char* name : {"orders", "a", "a_", "a0", "z_9", "e_e", "abcdefghijklmnopqrstuvwxyz_01234"}) {
    register_kind(name, [name](KindOptions& options) {
      asked = {name, options.take_text("store")};
      return std::make_unique<OwnSource>();
    });
  }
}

// Opening it would take a store.
void check_kind_with_a_store(const Json& test) {
  const KindText kind = parse_kind(text_of(test), {});
  require_equal(kind.name, std::string("segment"), "kind");
  const Json& store = test.at("expect").at("store");
  require_equal(kind.store.has_value(), !store.is_null(), "whether there is a store");
  if (kind.store) require_equal(*kind.store, store.get<std::string>(), "store");
}

std::optional<Worker> worker_in(const Json& options) {
  return options.contains("worker") ? std::optional(worker_of(options.at("worker"))) : std::nullopt;
}

// At the begin of the layout, which may be short.
Uuid7Options uuid7_of(const Json& layout) {
  Uuid7Options options;
  options.worker = 0;
  options.layout = Layout(layout.get<std::string>());
  options.clock = std::make_shared<ManualClock>(options.layout->epoch_ms());
  return options;
}

// What all kinds are opened with: the clock, the words, and of `given` what is there.
template <class Given>
Given given_of(const Json& test, const std::shared_ptr<Clock>& clock) {
  Given options;
  options.clock = clock;
  options.entropy =
      bytes_of(test.at("entropy").get<std::string>()) + std::string(8 * test.value("zero_words", std::size_t{0}), '\0');
  return options;
}

template <class Given>
Given waiting_of(const Json& test, const std::shared_ptr<Clock>& clock) {
  Given options = given_of<Given>(test, clock);
  const Json& given = test.at("options");
  options.max_wait_ms = given.value("max_wait_ms", options.max_wait_ms);
  options.max_lead_ms = given.value("max_lead_ms", options.max_lead_ms);
  return options;
}

// The sum of ids as big-endian numbers, modulo what their bytes hold, in hexadecimal.
template <class Value>
std::string sum_of(const std::vector<Value>& ids) {
  constexpr std::size_t kBytes = sizeof(Value);
  std::array<unsigned, kBytes> sum{};
  for (const Value& id : ids) {
    unsigned carry = 0;
    for (std::size_t i = kBytes; i-- > 0;) {
      const unsigned digit = sum[i] + id.bytes[i] + carry;
      sum[i] = digit & 0xff;
      carry = digit >> 8;
    }
  }
  std::string hex;
  for (const unsigned digit : sum) {
    hex += "0123456789abcdef"[digit >> 4];
    hex += "0123456789abcdef"[digit & 15];
  }
  return hex;
}

template <class Value>
void require_ids(const std::vector<Value>& ids, const Json& step) {
  if (step.contains("ids")) {
    require_equal(ids.size(), step.at("ids").size(), "number of ids");
    for (std::size_t i = 0; i < ids.size(); ++i) {
      require_equal(ids[i].text(), step.at("ids")[i].get<std::string>(), "id");
    }
    return;
  }
  require_equal(ids.size(), step.at("batch").get<std::size_t>(), "size of the batch");
  require_equal(ids.front().text(), step.at("first").get<std::string>(), "first id");
  require_equal(ids.back().text(), step.at("last").get<std::string>(), "last id");
  require_equal(sum_of(ids), step.at("sum").get<std::string>(), "sum of the ids");
}

template <class Source>
void check_calls(Source& source, const Json& step) {
  std::vector<decltype(source.next_id())> ids;
  if (step.contains("next")) {
    for (int i = step.at("next").get<int>(); i > 0; --i) ids.push_back(source.next_id());
  } else if (step.contains("try")) {
    if (const auto id = source.try_next_id()) ids.push_back(*id);
  } else {
    ids = source.next_ids(step.at(step.contains("skip") ? "skip" : "batch").get<std::size_t>());
  }
  if (!step.contains("skip")) require_ids(ids, step);
}

template <class Source>
void check_step(Source& source, const std::shared_ptr<ManualClock>& clock, const Json& step) {
  require_known_keys(step, {"set", "advance", "held_ms", "next", "try", "batch", "skip", "ids", "first", "last", "sum",
                            "error", "message_has", "clock_ms"});
  if (step.contains("set")) {
    clock->set(signed_number(step.at("set")));
  } else if (step.contains("advance")) {
    clock->advance(step.at("advance").get<std::int64_t>());
  } else if (step.contains("held_ms")) {
    require_equal(source.stats().held_ms, step.at("held_ms").get<std::int64_t>(), "held_ms");
  } else {
    expecting(step, [&] { check_calls(source, step); });
    require_equal(clock->time_ms(), signed_number(step.at("clock_ms")), "clock");
  }
}

template <class Source>
void check_steps(Source&& source, const std::shared_ptr<ManualClock>& clock, const Json& test) {
  std::size_t number_of_step = 0;
  for (const Json& step : test.at("steps")) {
    ++number_of_step;
    try {
      check_step(source, clock, step);
    } catch (const std::exception& error) {
      throw Mismatch("step " + std::to_string(number_of_step) + ": " + error.what());
    }
  }
}

}  // namespace

void check_kind_text(const Json& test) {
  static const bool registered = (register_own_kinds(), true);
  static_cast<void>(registered);
  if (test.contains("expect") && test.at("expect").at("kind") == "segment") return check_kind_with_a_store(test);
  asked = {};
  KindOptions options;
  if (text_of(test).rfind("snowflake", 0) == 0) options.set("worker", 1);
  const auto source = open_kind(text_of(test), options);
  require_equal(std::string(source->kind()), test.at("expect").at("kind").get<std::string>(), "kind");
  const Json& store = test.at("expect").at("store");
  require_equal(asked.store.has_value(), !store.is_null(), "whether there is a store");
  if (asked.store) require_equal(*asked.store, store.get<std::string>(), "store");
}

void check_uuid(const Json& test) {
  const std::string op = op_of(test);
  if (op == "parse") return check_parse<Uuid>(test);
  if (op == "first_id") return check_edge(test, Uuid7().first_id(signed_number(test.at("time_ms"))));
  if (op == "last_id") return check_edge(test, Uuid7().last_id(signed_number(test.at("time_ms"))));
  if (op == "to_uuid") {
    return check_edge(test, Layout(test.at("layout").get<std::string>()).to_uuid(id_of(test.at("input"))));
  }
  const Uuid uuid = Uuid::parse(text_of(test));
  if (op == "from_uuid") {
    const std::uint64_t id = Layout(test.at("layout").get<std::string>()).from_uuid(uuid);
    return require_equal(id, id_of(test.at("expect")), "id");
  }
  require_equal(op, std::string("decode"), "operation");
  const Uuid7 source(test.contains("layout") ? uuid7_of(test.at("layout")) : Uuid7Options{});
  const Uuid7Parts parts = source.decode(uuid);
  const Json& expect = test.at("expect");
  require_known_keys(expect, {"time_ms", "tick", "sequence", "node", "tail"});
  require_equal(parts.time_ms, signed_number(expect.at("time_ms")), "time_ms");
  require_equal(parts.tick, number(expect.at("tick")), "tick");
  require_equal(parts.sequence, expect.at("sequence").get<std::uint32_t>(), "sequence");
  require_equal(parts.node, number(expect.at("node")), "node");
  require_equal(parts.tail, number(expect.at("tail")), "tail");
}

void check_uuid_generator(const Json& test) {
  const auto clock =
      test.contains("clock_ms") ? std::make_shared<ManualClock>(signed_number(test.at("clock_ms"))) : nullptr;
  const Json& given = test.at("options");
  require_known_keys(given, {"worker", "layout", "max_wait_ms", "max_lead_ms"});
  const std::string kind = test.at("kind").get<std::string>();
  const Json no_steps = {{"steps", Json::array()}};
  const Json& steps = test.contains("error") ? no_steps : test;
  if (kind == "uuid4") return check_steps(Uuid4(given_of<Uuid4Options>(test, clock)), clock, steps);
  if (kind == "objectid") return check_steps(ObjectIds(waiting_of<ObjectIdOptions>(test, clock)), clock, steps);
  require_equal(kind, std::string("uuid7"), "kind");
  auto options = waiting_of<Uuid7Options>(test, clock);
  options.worker = worker_in(given);
  if (given.contains("layout")) options.layout = Layout(given.at("layout").get<std::string>());
  check_steps(Uuid7(options), clock, steps);
}

void check_object_id(const Json& test) {
  const std::string op = op_of(test);
  if (op == "parse") return check_parse<ObjectId>(test);
  if (op == "first_id") return check_edge(test, ObjectIds().first_id(signed_number(test.at("time_ms"))));
  if (op == "last_id") return check_edge(test, ObjectIds().last_id(signed_number(test.at("time_ms"))));
  require_equal(op, std::string("decode"), "operation");
  const ObjectIdParts parts = ObjectIds().decode(ObjectId::parse(text_of(test)));
  const Json& expect = test.at("expect");
  require_known_keys(expect, {"time_ms", "process", "counter"});
  require_equal(parts.time_ms, signed_number(expect.at("time_ms")), "time_ms");
  require_equal(parts.process, std::stoull(expect.at("process").get<std::string>(), nullptr, 16), "process");
  require_equal(parts.counter, expect.at("counter").get<std::uint32_t>(), "counter");
}

}  // namespace polyflake::test
