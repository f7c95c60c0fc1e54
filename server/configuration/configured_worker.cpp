#include "configuration/configured_worker.hpp"

#include <algorithm>
#include <charconv>

#include "configuration/served_store.hpp"

namespace polyflake::server {
namespace {

constexpr char kWorkers[] =
    "a node id such as 7, one number per node field such as {datacenter = 1, worker = 7}, \"host\", \"host:7\", "
    "\"ordinal\", or the address of a store such as \"redis://127.0.0.1:6379/0?namespace=orders\"";

bool is_decimal(std::string_view text) {
  const bool digits = std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  return digits && !text.empty() && (text.size() == 1 || text.front() != '0');
}

void check_node_id(const Section& section, const Layout& layout, const std::string& shown, bool fits) {
  if (fits) return;
  section.refuse(
      "worker", "node id " + shown + " is not of this layout, which has 0 to " + std::to_string(layout.largest_node()));
}

Worker numbered_worker(const Section& section, const Layout& layout, std::int64_t number) {
  const bool fits = number >= 0 && static_cast<std::uint64_t>(number) <= layout.largest_node();
  check_node_id(section, layout, std::to_string(number), fits);
  return Worker(number);
}

Worker worker_of_fields(const Section& section, const Layout& layout, const toml::table& table) {
  Worker::Fields fields;
  std::uint64_t node = 0;
  for (const auto& [name, value] : table) {
    if (!value.is_integer()) {
      section.refuse("worker",
                     "the field " + polyflake::quoted(name.str()) + " is a whole number, not " + shown_type(value));
    }
    const std::int64_t number = value.as_integer()->get();
    const std::string field(name.str());
    node |= section.checked("worker", [&] { return layout.node_with(field, number); });
    fields[field] = number;
  }
  for (const Field& field : layout.node_fields()) {
    if (fields.count(field.name) != 0) continue;
    section.refuse("worker", "the node field " + polyflake::quoted(field.name) +
                                 " has no number; give one for each, or one "
                                 "node id for all");
  }
  check_node_id(section, layout, std::to_string(node), node <= layout.largest_node());
  return Worker(std::move(fields));
}

void check_host_number(const Section& section, const Layout& layout, std::string_view digits) {
  std::uint64_t number = 0;
  if (!is_decimal(digits)) {
    section.refuse("worker",
                   "behind \"host:\" a node id is needed, as in \"host:7\", not " + polyflake::quoted(digits));
  }
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  check_node_id(section, layout, polyflake::quoted(digits), read.ec == std::errc() && number <= layout.largest_node());
}

// Sets what a worker in quotes means.
void read_source(const Section& section, const std::string& source, GeneratorConfiguration& generator) {
  constexpr std::string_view kNumberedHost = "host:";
  if (is_store_address(source)) {
    check_lease(section, "worker", served_store(section, "worker", source).wanted.options, generator.layout);
    generator.store = source;
    return;
  }
  if (is_decimal(source)) section.refuse("worker", "a node id has no quotes, as in worker = 7");
  const bool numbered = source.compare(0, kNumberedHost.size(), kNumberedHost) == 0;
  if (numbered) check_host_number(section, generator.layout, std::string_view(source).substr(kNumberedHost.size()));
  generator.by_host = numbered || source == "host";
  if (!generator.by_host && source != "ordinal") {
    section.refuse("worker", polyflake::quoted(source) + " is not a source of node ids; it may be " + kWorkers);
  }
  generator.worker = Worker(source);
}

}  // namespace

void read_worker(const Section& section, GeneratorConfiguration& generator) {
  const toml::node* const value = section.find("worker");
  if (value == nullptr) {
    section.refuse_missing("worker",
                           "there is no default source, since in containers each replica would take node id 0. It "
                           "may be " +
                               std::string(kWorkers));
  }
  if (const auto* const number = value->as_integer()) {
    generator.worker = numbered_worker(section, generator.layout, number->get());
  } else if (const auto* const fields = value->as_table()) {
    generator.worker = worker_of_fields(section, generator.layout, *fields);
  } else {
    read_source(section, *section.text("worker"), generator);
  }
}

}  // namespace polyflake::server
