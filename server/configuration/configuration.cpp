#include "configuration/configuration.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include <polyflake/memory_store.hpp>

#include "configuration/configured_listener.hpp"
#include "configuration/configured_worker.hpp"
#include "configuration/named_sections.hpp"
#include "configuration/served_store.hpp"
#include "configuration/toml_text.hpp"

namespace polyflake::server {
namespace {

// --- generators and counters ----------------------------------------------------------------------

GeneratorConfiguration read_generator(const Section& section, const std::string& name) {
  GeneratorConfiguration generator;
  generator.name = name;
  if (const auto layout = section.text("layout")) {
    generator.layout = section.checked("layout", [&] { return Layout(*layout); });
  }
  read_worker(section, generator);
  return generator;
}

// Errors: ConfigurationError for options that no counter has.
void check_counter(const Section& section, const SegmentOptions& options) {
  try {
    // The core checks them when it opens a counter, which an empty store ends at once.
    MemoryStore empty;
    Segment(empty, options);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::argument) return;
    const std::string_view said = error.what();
    const std::string_view option = said.substr(0, said.find(' '));
    section.refuse(section.find(option) == nullptr ? "counter" : option, error.what());
  }
}

CounterConfiguration read_counter(const Section& section, const std::string& name) {
  CounterConfiguration counter;
  counter.name = name;
  counter.store = section.needed_text("store");
  counter.options.label = served_store(section, "store", counter.store).wanted.options.label;
  counter.options.name = section.text("counter").value_or(name);
  if (const auto step = section.integer("step")) counter.options.step = static_cast<std::uint64_t>(*step);
  if (const auto hold_ms = section.integer("hold_ms")) counter.options.hold_ms = *hold_ms;
  if (const auto timeout_ms = section.integer("timeout_ms")) counter.options.timeout_ms = *timeout_ms;
  check_counter(section, counter.options);
  return counter;
}

// --- listeners ------------------------------------------------------------------------------------

bool has_generator(const Configuration& configuration, std::string_view name) {
  const auto& all = configuration.generators;
  return std::any_of(all.begin(), all.end(), [&](const auto& one) { return one.name == name; });
}

// Sets the generator of a listener for Thrift, whose calls name none.
void choose_generator(const Section& section, const Configuration& configuration, ListenerConfiguration& listener) {
  if (listener.protocol != ListenerConfiguration::Protocol::thrift) return;
  const auto& all = configuration.generators;
  if (section.find("generator") == nullptr) {
    if (all.size() != 1) {
      section.refuse_missing("generator", "calls of Thrift name none, and there are " + std::to_string(all.size()));
    }
    listener.generator = all.front().name;
  } else if (!has_generator(configuration, listener.generator)) {
    section.refuse("generator",
                   "there is no section [generator.NAME] with the name " + polyflake::quoted(listener.generator));
  }
}

void read_listeners(const toml::table& file_table, const std::string& file, Configuration& configuration) {
  const toml::node* const node = file_table.get("listener");
  if (node == nullptr) throw ConfigurationError(file + ":1: no client could connect: write a section [[listener]]");
  const toml::array* const sections = node->as_array();
  const auto is_table = [](const toml::node& one) { return one.is_table(); };
  if (sections == nullptr || !std::all_of(sections->begin(), sections->end(), is_table) || sections->empty()) {
    refuse_line(file, node->source(), "listeners are a list: write [[listener]], with two brackets, for each");
  }
  std::set<std::string> addresses;
  for (const toml::node& one : *sections) {
    const Section section(*one.as_table(), "listener", "[[listener]]", file);
    ListenerConfiguration listener = read_listener(section);
    choose_generator(section, configuration, listener);
    const bool at_any_port = !listener.host.empty() && listener.port == 0;
    if (!at_any_port && !addresses.insert(address_of(listener)).second) {
      section.refuse("address", "another listener has this address; give each one of its own");
    }
    configuration.listeners.push_back(std::move(listener));
  }
}

// --- the top of the file ---------------------------------------------------------------------------

void read_limits(const Section& top, Configuration& configuration) {
  Limits& limits = configuration.limits;
  limits.max_batch = static_cast<std::uint32_t>(top.integer("max_batch").value_or(limits.max_batch));
  limits.max_wait_ms = top.integer("max_wait_ms").value_or(limits.max_wait_ms);
  if (const auto most = top.integer("max_connections")) limits.max_connections = static_cast<std::size_t>(*most);
  if (const auto most = top.integer("max_pending_bytes")) limits.max_pending_bytes = static_cast<std::size_t>(*most);
  configuration.drain_ms = top.integer("drain_ms").value_or(configuration.drain_ms);
}

void read_registry(const Section& top, Configuration& configuration) {
  const auto& all = configuration.generators;
  const auto by_host = std::find_if(all.begin(), all.end(), [](const auto& one) { return one.by_host; });
  const std::string folder = top.absolute_path("registry");
  if (by_host == all.end()) {
    if (!folder.empty()) top.refuse("registry", "no generator has a worker \"host\" or \"host:N\"; leave the key out");
    return;
  }
  if (folder.empty()) {
    top.refuse_missing("registry", "the worker of [generator." + by_host->name +
                                       "] needs the folder of this host's node ids, as in registry = "
                                       "\"/var/lib/polyflake\"");
  }
  std::error_code wrong;
  if (!std::filesystem::is_directory(folder, wrong)) {
    top.refuse("registry",
               "there is no folder '" + folder + "'. Is its volume mounted? If it is the first start, make it");
  }
  configuration.registry = folder;
}

void check_names(const toml::table& file_table, const std::string& file, const Configuration& configuration) {
  if (configuration.generators.empty() && configuration.counters.empty()) {
    throw ConfigurationError(file +
                             ":1: there is nothing to serve: write a section [generator.NAME] or "
                             "[counter.NAME]");
  }
  for (const CounterConfiguration& counter : configuration.counters) {
    if (!has_generator(configuration, counter.name)) continue;
    refuse_line(file, file_table["counter"].as_table()->get(counter.name)->source(),
                "a generator has the name of [counter." + counter.name +
                    "], too, and clients could not tell which "
                    "one they ask for; give it another one");
  }
}

}  // namespace

Configuration read_configuration(std::string_view text, const std::string& name) {
  const toml::table file_table = parsed_toml(text, name);
  const Section top(file_table, "", "", name);
  Configuration configuration;
  read_limits(top, configuration);
  configuration.generators = read_named(file_table, "generator", name, read_generator);
  configuration.counters = read_named(file_table, "counter", name, read_counter);
  check_names(file_table, name, configuration);
  read_registry(top, configuration);
  configuration.unknown_keys = top.text("unknown_keys").value_or("");
  if (top.find("unknown_keys") != nullptr && !has_generator(configuration, configuration.unknown_keys)) {
    top.refuse("unknown_keys",
               "there is no section [generator.NAME] with the name " + polyflake::quoted(configuration.unknown_keys));
  }
  read_listeners(file_table, name, configuration);
  return configuration;
}

}  // namespace polyflake::server
