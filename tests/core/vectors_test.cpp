// Runs every test of tests/vectors/vectors.json through the public C++ API, and those of counters through what
// the sources of counters are made of. The format is described in tests/vectors/README.md; nothing is left
// out.
#include <polyflake/polyflake.hpp>
#include <polyflake/seal.hpp>

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
#include "paths.hpp"
#include "vectors.hpp"

namespace polyflake::test {
namespace {

std::uint64_t encoded(const Json& test) {
  const Layout layout(test.at("layout").get<std::string>());
  std::uint64_t node = 0;
  for (const auto& [name, value] : test.at("fields").items()) node += layout.node_with(name, value.get<std::int64_t>());
  // A negative number is as far out of range as the huge one it converts to.
  const std::uint64_t tick = test.contains("tick") ? static_cast<std::uint64_t>(signed_number(test.at("tick")))
                                                   : layout.tick_at(signed_number(test.at("time_ms")));
  return layout.pack(tick, node, static_cast<std::uint64_t>(test.value("sequence", std::int64_t{0})));
}

void check_parts(const Layout& layout, std::uint64_t id, const Parts& parts, const Json& expect) {
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

void check_decode(const Json& test) {
  const Layout layout(test.at("layout").get<std::string>());
  const std::uint64_t id = id_of(test.at("input"));
  const Parts parts = layout.unpack(id);
  check_parts(layout, id, parts, test.at("expect"));
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

void check_id_text(const Json& test) {
  const std::uint64_t id = id_from_text(test.at("text").get<std::string>());
  require_equal(id, id_of(test.at("expect")), "id");
}

Codec codec_of(const Json& test) {
  const Json given = test.value("options", Json::object());
  require_known_keys(given, {"width", "check"});
  CodecOptions options;
  if (given.contains("width")) options.width = given.at("width").get<std::int64_t>();
  options.check = given.value("check", false);
  return Codec::named(test.at("codec").get<std::string>(), options);
}

void check_codec(const Json& test) {
  const std::string op = test.at("op").get<std::string>();
  const Codec codec = codec_of(test);
  const bool plain = !test.contains("options");  // then the functions for a single id do the same
  if (op == "encode") {
    const std::uint64_t id = id_of(test.at("input"));
    const std::string text = codec.encode(id);
    require_equal(text, test.at("expect").at("text").get<std::string>(), "text");
    if (plain) require_equal(to_text(id, codec.name()), text, "to_text");
  } else if (op == "decode") {
    const std::string text = test.at("text").get<std::string>();
    const std::uint64_t id = plain ? from_text(text, codec.name()) : codec.decode(text);
    require_equal(id, id_of(test.at("expect")), "id");
    require_equal(codec.decode(text), id, "decode");
  } else if (op == "make") {
    const Json& expect = test.at("expect");
    require_equal(std::string(codec.digits()), expect.at("digits").get<std::string>(), "digits");
    require_equal(codec.width(), expect.at("width").get<int>(), "width");
    require_equal(codec.check(), expect.at("check").get<bool>(), "check");
  } else {
    throw Mismatch("unknown operation " + op);
  }
}

std::vector<std::uint64_t> ids_of(const Json& texts) {
  std::vector<std::uint64_t> ids;
  for (const Json& text : texts) ids.push_back(number(text));
  return ids;
}

// Sqids and Hashids do the same things.
template <class Texts>
void check_texts(const Json& test, const Texts& texts) {
  const std::string op = test.at("op").get<std::string>();
  if (op == "encode") {
    const std::vector<std::uint64_t> ids = ids_of(test.at("ids"));
    const std::string text = texts.encode(ids);
    require_equal(text, test.at("expect").at("text").get<std::string>(), "text");
    if (ids.size() == 1) require_equal(texts.encode(ids[0]), text, "text of a single id");
    if (texts.decode(text) != ids) throw Mismatch("its text is read as other ids");
  } else if (op == "decode") {
    const std::vector<std::uint64_t> ids = texts.decode(test.at("text").get<std::string>());
    if (ids != ids_of(test.at("expect").at("ids"))) throw Mismatch("other ids");
  } else if (op == "make") {
    require_equal(texts.alphabet(), test.at("expect").at("alphabet").get<std::string>(), "alphabet");
    require_equal(texts.min_length(), test.at("expect").at("min_length").get<int>(), "min_length");
  } else {
    throw Mismatch("unknown operation " + op);
  }
}

void check_sqids(const Json& test) {
  if (test.at("op") == "default_blocklist") {
    const auto words = test.at("expect").at("words").get<std::vector<std::string>>();
    if (Sqids::default_blocklist() != words) throw Mismatch("other words");
    return;
  }
  const Json given = test.value("options", Json::object());
  require_known_keys(given, {"alphabet", "min_length", "blocklist"});
  SqidsOptions options;
  options.alphabet = given.value("alphabet", options.alphabet);
  options.min_length = given.value("min_length", options.min_length);
  if (given.contains("blocklist")) options.blocklist = given.at("blocklist").get<std::vector<std::string>>();
  check_texts(test, Sqids(options));
}

void check_hashids(const Json& test) {
  const Json given = test.value("options", Json::object());
  require_known_keys(given, {"salt", "min_length", "alphabet"});
  check_texts(test, Hashids(given.value("salt", ""), given.value("min_length", std::int64_t{0}),
                            given.value("alphabet", std::string(Hashids::kAlphabet))));
}

Seal seal_of(const Json& given) {
  require_known_keys(given, {"key", "tweak", "tweak_hex", "bits", "key_id"});
  SealOptions options;
  options.tweak = given.contains("tweak_hex") ? bytes_of(given.at("tweak_hex").get<std::string>())
                                              : given.value("tweak", std::string());
  options.bits = given.value("bits", options.bits);
  if (given.contains("key_id")) options.key_id = given.at("key_id").get<std::string>();
  return Seal(bytes_of(given.at("key").get<std::string>()), options);
}

SealRing ring_of(const Json& given) {
  std::vector<Seal> seals;
  for (const Json& one : given) seals.push_back(seal_of(one));
  return SealRing(seals);
}

std::uint64_t unsealed(const Seal& seal, std::uint64_t id, const Json&) { return seal.unseal(id); }
std::uint64_t unsealed(const SealRing& ring, std::uint64_t id, const Json& test) {
  const Json& key_id = test.at("key_id");
  return ring.unseal(id, key_id.is_null() ? std::nullopt : std::optional(key_id.get<std::string>()));
}

template <class Sealing>
void check_sealing(const Sealing& sealing, const Json& test) {
  const std::string op = test.at("op").get<std::string>();
  const std::string codec = test.value("codec", std::string());
  const bool named = test.contains("codec");
  if (op == "seal") {
    const std::uint64_t sealed = sealing.seal(id_of(test.at("input")));
    require_equal(sealed, id_of(test.at("expect")), "sealed");
  } else if (op == "unseal") {
    const std::uint64_t id = unsealed(sealing, id_of(test.at("input")), test);
    require_equal(id, id_of(test.at("expect")), "id");
  } else if (op == "encode") {
    const std::uint64_t id = id_of(test.at("input"));
    const std::string text = named ? sealing.encode(id, codec) : sealing.encode(id);
    require_equal(text, test.at("expect").at("text").get<std::string>(), "text");
  } else if (op == "decode") {
    const std::string text = test.at("text").get<std::string>();
    const std::uint64_t id = named ? sealing.decode(text, codec) : sealing.decode(text);
    require_equal(id, id_of(test.at("expect")), "id");
  } else {
    throw Mismatch("unknown operation " + op);
  }
}

void check_seal(const Json& test) {
  if (test.contains("ring")) return check_sealing(ring_of(test.at("ring")), test);
  check_sealing(seal_of(test.at("seal")), test);
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

void check_friendly(const Json& test) {
  const Layout layout(test.at("layout").get<std::string>());
  const std::string op = test.at("op").get<std::string>();
  if (op == "write") {
    const std::string text = friendly(layout, id_of(test.at("input")), test.at("utc_offset_s").get<std::int64_t>());
    require_equal(text, test.at("expect").at("text").get<std::string>(), "text");
    return;
  }
  require_equal(op, std::string("read"), "operation");
  const std::string text = test.at("text").get<std::string>();
  const auto offsets = test.at("utc_offsets_s").get<std::vector<std::int64_t>>();
  const std::uint64_t id = from_friendly_of_zone(layout, text, offsets);
  require_equal(id, id_of(test.at("expect")), "id");
  require_equal(from_friendly(layout, text, offsets.at(0)), id, "id by the offset");
}

void check_explain(const Json& test) {
  const std::uint64_t id = id_of(test.at("input"));
  const std::vector<Explanation> explanations = explain(id, signed_number(test.at("now_ms")));
  require_equal(explanations.size(), test.at("expect").size(), "number of explanations");
  for (std::size_t i = 0; i < explanations.size(); ++i) {
    const Explanation& explanation = explanations[i];
    const Json& expect = test.at("expect")[i];
    require_known_keys(expect, {"preset", "why_not", "parts"});
    require_equal(explanation.preset, expect.at("preset").get<std::string>(), "preset");
    const Json& why_not = expect.at("why_not");
    require_equal(std::string(explanation.why_not ? name_of(*explanation.why_not) : ""),
                  why_not.is_null() ? "" : why_not.get<std::string>(), "why_not");
    require_equal(explanation.parts.has_value(), !expect.at("parts").is_null(), "parts");
    if (explanation.parts) check_parts(Layout(explanation.preset), id, *explanation.parts, expect.at("parts"));
  }
}

const std::map<std::string, void (*)(const Json&)> kGroups = {
    {"layout", check_layout},     {"layout_text", check_layout_text}, {"codec", check_codec},
    {"options", check_options},   {"generator", check_generator},     {"published", check_published},
    {"friendly", check_friendly}, {"explain", check_explain},         {"seal", check_seal},
    {"sqids", check_sqids},       {"hashids", check_hashids},         {"kind_text", check_kind_text},
    {"uuid", check_uuid},         {"objectid", check_object_id},      {"uuid_generator", check_uuid_generator},
    {"id_text", check_id_text},   {"counter", check_counter},         {"step", check_step_group},
    {"date", check_date},         {"ticket", check_ticket},
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
  std::ifstream file(std::string(kVectors) + "vectors.json");
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
