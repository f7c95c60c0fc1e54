#include "lease/trial.hpp"

#include <polyflake/error.hpp>

#include <algorithm>

#include "base/ascii.hpp"
#include "lease/dialects.hpp"
#include "lease/record.hpp"

namespace polyflake::lease {
namespace {

constexpr const char* kNames = "names.";
constexpr const char* kRecord = "record.";

bool begins_with(const std::string& text, const std::string& start) {
  return text.compare(0, start.size(), start) == 0;
}

std::size_t index_of(const std::vector<std::string>& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw Error(ErrorCode::option_invalid, "a record has no field " + quoted(name));
  return static_cast<std::size_t>(found - names.begin());
}

Word word_in(const std::string& text) {
  const auto word = word_of(text);
  if (!word) throw Error(ErrorCode::option_invalid, quoted(text) + " is no word of 32 hex digits");
  return *word;
}

std::uint64_t number_in(const std::string& text) {
  const auto number = ascii::decimal(text);
  if (!number) throw Error(ErrorCode::option_invalid, quoted(text) + " is no number");
  return *number;
}

void add(std::vector<std::string>& found, const std::string& of, const std::vector<std::string>& names,
         const Fields& fields) {
  for (std::size_t i = 0; i < names.size(); ++i) found.push_back(of + "." + names[i] + "=" + fields[i]);
}

}  // namespace

Trial::Trial(Random& random, std::int64_t now_ms) : random_(random), now_ms_(now_ms) {}

void Trial::ask(std::vector<std::uint64_t> nodes) {
  nodes_ = std::move(nodes);
  found_.clear();
  question_ = Action{Action::Kind::read};
  question_->read.nodes = nodes_;
}

void Trial::ask(const Assignments& assignments) {
  Cas cas;
  cas.echo = random_.word();
  cas.incarnation = incarnation_;
  Fields names = fields_of(NamespaceRecord{}), record = fields_of(NodeRecord{});
  bool writes_names = false;
  for (const auto& [name, value] : assignments) {
    const bool of_names = begins_with(name, kNames), of_record = begins_with(name, kRecord);
    const bool is_time = name.size() > 3 && name.compare(name.size() - 3, 3, "_ms") == 0 && name != "longest_ms";
    const std::string text = is_time ? std::to_string(time_of(value)) : value;
    if (of_names) names[index_of(namespace_fields(), name.substr(6))] = text;
    if (of_record) record[index_of(node_fields(), name.substr(7))] = text;
    writes_names = writes_names || of_names;
    if (!of_names && !of_record && !set(cas, name, text)) {
      throw Error(ErrorCode::option_invalid, "a cas has no " + quoted(name));
    }
  }
  if (names[index_of(namespace_fields(), "incarnation")] == "present") {
    names[index_of(namespace_fields(), "incarnation")] = incarnation_;
  }
  if (writes_names) cas.names = namespace_of(names);
  const auto node_record = node_of(record);
  if ((writes_names && !cas.names) || !node_record) throw Error(ErrorCode::option_invalid, "a record is not whole");
  cas.record = *node_record;
  outcome_ = "unknown";
  question_ = Action{Action::Kind::cas};
  question_->cas = std::move(cas);
}

bool Trial::set(Cas& cas, const std::string& name, const std::string& value) const {
  if (name == "makes_namespace") {
    cas.makes_namespace = value == "1";
  } else if (name == "uuid") {
    cas.uuid = word_in(value);
  } else if (name == "term") {
    cas.term = word_in(value);
  } else if (name == "layout") {
    cas.layout = number_in(value);
  } else if (name == "names_nonce") {
    cas.names_nonce = word_in(value);
  } else if (name == "incarnation") {
    if (value != "present") cas.incarnation = value;
  } else if (name == "node") {
    cas.node = number_in(value);
  } else if (name == "node_nonce") {
    cas.node_nonce = word_in(value);
  } else if (name == "longest_ms") {
    cas.longest_ms = static_cast<std::int64_t>(number_in(value));
  } else if (name == "bounded") {
    cas.bounded = value == "1";
  } else {
    return false;
  }
  return true;
}

std::int64_t Trial::time_of(const std::string& text) const {
  const bool is_relative = !text.empty() && (text.front() == '+' || text.front() == '-');
  const auto ms = static_cast<std::int64_t>(number_in(is_relative ? text.substr(1) : text));
  if (!is_relative) return ms;
  return text.front() == '+' ? now_ms_ + ms : now_ms_ - ms;
}

Action Trial::next() {
  if (!question_) return {Action::Kind::done};
  return *std::exchange(question_, std::nullopt);
}

void Trial::deliver(std::uint64_t, const Contents& contents) {
  incarnation_ = contents.incarnation;
  if (contents.store_ms) now_ms_ = *contents.store_ms;
  if (contents.names) add(found_, "names", namespace_fields(), fields_of(*contents.names));
  for (std::size_t i = 0; i < nodes_.size() && i < contents.nodes.size(); ++i) {
    if (contents.nodes[i]) add(found_, std::to_string(nodes_[i]), node_fields(), fields_of(*contents.nodes[i]));
  }
}

void Trial::deliver(std::uint64_t, const Answer& answer) { outcome_ = word_of(answer.outcome); }

void Trial::deliver_nothing(std::uint64_t, const std::string& reason) { outcome_ = "unknown: " + reason; }

}  // namespace polyflake::lease
