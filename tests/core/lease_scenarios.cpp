#include "lease_scenarios.hpp"

#include <fstream>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

#include "lease/dialect.hpp"
#include "lease/record.hpp"

namespace polyflake::test {
namespace {

using lease::Cas;

const Json kAbsent = "absent";

bool begins_with(const std::string& text, const std::string& start) { return text.rfind(start, 0) == 0; }

lease::Word word_in(const std::string& text) { return lease::word_of(text).value(); }

Json record_of(const lease::FieldNames& table, const lease::Fields& fields) {
  Json record = Json::object();
  for (std::size_t i = 0; i < table.size(); ++i) record[std::string(table[i].name)] = fields[i];
  return record;
}

std::string& field(lease::Fields& fields, const lease::FieldNames& table, const std::string& name) {
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (table[i].name == name) return fields[i];
  }
  throw std::invalid_argument("a record has no field " + name);
}

void set(Cas& cas, const std::string& name, const std::string& value) {
  using Set = void (*)(Cas&, const std::string&);
  static const std::map<std::string, Set> sets = {
      {"makes_namespace", [](Cas& of, const std::string& text) { of.makes_namespace = text == "1"; }},
      {"uuid", [](Cas& of, const std::string& text) { of.uuid = word_in(text); }},
      {"term", [](Cas& of, const std::string& text) { of.term = word_in(text); }},
      {"layout", [](Cas& of, const std::string& text) { of.layout = std::stoull(text); }},
      {"names_nonce", [](Cas& of, const std::string& text) { of.space_nonce = word_in(text); }},
      {"incarnation", [](Cas& of, const std::string& text) { of.incarnation = text; }},
      {"node", [](Cas& of, const std::string& text) { of.node = std::stoull(text); }},
      {"node_nonce", [](Cas& of, const std::string& text) { of.node_nonce = word_in(text); }},
      {"longest_ms", [](Cas& of, const std::string& text) { of.longest_ms = std::stoll(text); }},
      {"bounded", [](Cas& of, const std::string& text) { of.bounded = text == "1"; }},
  };
  sets.at(name)(cas, value);
}

// Returns the record, with "*" in each field for which "*" is expected.
Json known_of(Json record, const Json& expected) {
  if (!record.is_object() || !expected.is_object()) return record;
  for (const auto& item : expected.items()) {
    if (item.value() == "*" && record.contains(item.key())) record[item.key()] = "*";
  }
  return record;
}

void check(Client& client, const Json& step) {
  if (step.contains("read")) {
    Json found = client.read(step.at("read"));
    const Json& expected = step.at("found");
    for (const auto& item : found.items()) item.value() = known_of(item.value(), expected.at(item.key()));
    if (found != expected) throw std::runtime_error("it finds " + found.dump());
  } else {
    const std::string outcome = client.cas(step.at("cas"));
    if (outcome != step.at("outcome")) throw std::runtime_error("the outcome is " + outcome);
  }
}

// Returns what fails; "" if nothing does.
std::string failure_of(const Json& scenario, const std::string& name, std::int64_t now_ms,
                       const MakeStore& make_store) {
  std::map<std::string, Client> clients;
  std::size_t number = 0;
  try {
    for (const Json& step : scenario.at("steps")) {
      ++number;
      const std::string suffix = step.contains("namespace") ? "-" + step.at("namespace").get<std::string>() : "";
      const std::string by = step.value("client", "") + suffix;
      auto client = clients.find(by);
      if (client == clients.end()) client = clients.try_emplace(by, make_store(name + suffix, by), now_ms).first;
      check(client->second, step);
    }
    return "";
  } catch (const std::exception& error) {
    return "scenario " + scenario.at("id").dump() + " (" + scenario.at("name").get<std::string>() + "), step " +
           std::to_string(number) + ": " + error.what();
  }
}

}  // namespace

Json Client::read(const Json& nodes) {
  lease::Read read;
  for (const Json& node : nodes) read.nodes.push_back(std::stoull(node.get<std::string>()));
  const lease::Contents contents = store_->read(read);
  incarnation_ = contents.incarnation;
  now_ms_ = contents.store_ms.value_or(now_ms_);
  Json found = {{"names", kAbsent}};
  if (contents.space) found["names"] = record_of(lease::namespace_fields(), fields_of(*contents.space));
  for (std::size_t i = 0; i < read.nodes.size(); ++i) {
    Json& record = found[nodes[i].get<std::string>()] = kAbsent;
    if (i < contents.nodes.size() && contents.nodes[i]) {
      record = record_of(lease::node_fields(), fields_of(*contents.nodes[i]));
    }
  }
  return found;
}

std::string Client::cas(const Json& assignments) {
  const Cas cas = made_of(assignments);
  try {
    return word_of(store_->cas(cas).outcome);
  } catch (const std::exception& error) {
    return std::string("unknown: ") + error.what();
  }
}

Cas Client::made_of(const Json& assignments) {
  Cas cas;
  cas.echo = random_.word();
  cas.incarnation = incarnation_;
  lease::Fields space = fields_of(lease::NamespaceRecord{}), record = fields_of(lease::NodeRecord{});
  bool writes_space = false;
  for (const auto& item : assignments.items()) {
    const std::string& name = item.key();
    const bool is_time = name.size() > 3 && name.substr(name.size() - 3) == "_ms" && name != "longest_ms";
    std::string value = item.value().get<std::string>();
    if (is_time) value = time_of(value);
    if (value == "present") value = incarnation_;
    if (begins_with(name, "names.")) {
      field(space, lease::namespace_fields(), name.substr(6)) = value;
      writes_space = true;
    } else if (begins_with(name, "record.")) {
      field(record, lease::node_fields(), name.substr(7)) = value;
    } else {
      set(cas, name, value);
    }
  }
  if (writes_space) cas.space = lease::namespace_of(space).value();
  cas.record = lease::node_of(record).value();
  return cas;
}

std::string Client::time_of(const std::string& text) const {
  const bool is_relative = !text.empty() && (text.front() == '+' || text.front() == '-');
  return is_relative ? std::to_string(now_ms_ + std::stoll(text)) : text;
}

Json Client::create(std::size_t count) {
  Json created = Json::object();
  while (created.size() < count) {
    const Json names = read(Json::array()).at("names");
    const std::string node = names.at("used"), nonce = to_text(random_.word());
    Json assignments = {{"uuid", names.at("uuid")},
                        {"term", names.at("term")},
                        {"node", node},
                        {"names_nonce", names.at("nonce")},
                        {"longest_ms", "60000"},
                        {"record.nonce", nonce},
                        {"record.until_ms", "+5000"},
                        {"record.owner", to_text(random_.word())},
                        {"record.layout", names.at("layout")}};
    assignments["layout"] = std::to_string(std::stoull(names.at("layout").get<std::string>(), nullptr, 16));
    for (const auto& item : names.items()) assignments["names." + item.key()] = item.value();
    assignments["names.nonce"] = to_text(random_.word());
    assignments["names.used"] = std::to_string(std::stoull(node) + 1);
    const std::string outcome = cas(assignments);
    // A database may end one of two that wait for each other: then it is unknown what came of it.
    if (outcome == "ok") {
      created[node] = nonce;
    } else if (outcome != "conflict" && !begins_with(outcome, "unknown")) {
      throw std::runtime_error("the outcome is " + outcome);
    }
  }
  return created;
}

Passed run_scenarios(const std::string& file, const std::string& kind, const std::string& prefix, std::int64_t now_ms,
                     const MakeStore& make_store) {
  std::ifstream input(file);
  const Json document = Json::parse(input);
  const auto facts = document.at("kinds").at(kind).get<std::set<std::string>>();
  Passed passed;
  for (const Json& scenario : document.at("scenarios")) {
    bool is_meant = true;
    for (const auto& need : scenario.value("needs", std::vector<std::string>{})) {
      is_meant = is_meant && facts.count(need) == 1;
    }
    if (!is_meant) continue;
    ++passed.meant;
    std::string failure = failure_of(scenario, prefix + "s" + scenario.at("id").dump(), now_ms, make_store);
    if (!failure.empty()) passed.failures.push_back(std::move(failure));
  }
  if (document.at("scenarios").size() != document.at("number_of_scenarios")) {
    passed.failures.emplace_back("number_of_scenarios is wrong");
  }
  return passed;
}

}  // namespace polyflake::test
