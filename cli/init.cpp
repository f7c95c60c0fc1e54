// polyflake init: makes a namespace in a store, or counters in one.
#include <polyflake/layout.hpp>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "counter_numbers.hpp"
#include "description.hpp"
#include "json.hpp"
#include "program.hpp"
#include "usage.hpp"

namespace polyflake::cli {
namespace {

constexpr const char* kInitExamples =
    "  polyflake init 'redis://localhost/0?namespace=orders'\n"
    "  polyflake init --layout twitter --fresh 'postgresql://localhost/app?namespace=orders'\n"
    "  polyflake init --counter invoices --after 41207 'postgresql://localhost/app?namespace=orders'\n";

struct InitOptions {
  std::string store;
  std::string layout = "polyflake";
  bool fresh = false;
  std::vector<std::string> counters;
  std::optional<std::uint64_t> after;
  std::vector<std::string> named;  // name=value of other options, in the words of the library
  bool json = false;
  // Options that belong to the making of counters alone, or of namespaces.
  std::vector<const CLI::Option*> of_counters, of_namespaces;
};

void check(const InitOptions& options) {
  const bool counters = !options.counters.empty();
  for (const CLI::Option* const option : counters ? options.of_namespaces : options.of_counters) {
    if (option->count() == 0) continue;
    throw UsageError(option->get_name() + (counters ? " and --counter cannot be given together" : " needs --counter"));
  }
}

Outcome make_counters(Program& program, const InitOptions& options) {
  const std::string after = std::to_string(checked_after(options.after));
  std::vector<std::string> arguments{"after=" + after};
  for (const std::string& name : options.counters) arguments.push_back("name=" + name);
  arguments.insert(arguments.end(), options.named.begin(), options.named.end());
  return Outcome({"init_counter", options.store, "", std::move(arguments)}, [&program, &options, after](const Rows&) {
    for (const std::string& name : options.counters) {
      if (options.json) {
        JsonObject json(program.out.buffer());
        append_counter(json, name, after);
        json.end_line();
      } else {
        program.out.write(labelled("counter", program.style()) + one_line(name) + ", after " + after +
                          ", or as it was if there was one\n");
      }
    }
    return kWell;
  });
}

Outcome run_init(Program& program, const InitOptions& options) {
  check(options);
  if (!options.counters.empty()) return make_counters(program, options);
  const Layout layout(options.layout);
  Request request{"init", options.store, options.layout, {}};
  if (options.fresh) request.arguments.emplace_back("fresh");
  return Outcome(std::move(request), [&program, &options](const Rows& rows) {
    if (options.json) {
      JsonObject json(program.out.buffer());
      json.said("uuid", rows.at(0).at(0));
      json.end_line();
      return kWell;
    }
    program.out.write(labelled("uuid", program.style()) + rows.at(0).at(0) + "\n");
    return kWell;
  });
}

// Adds an option of counters that is a word of these; any word if there are none.
CLI::Option* add_word(CLI::App& command, InitOptions& options, const std::string& name,
                      const std::vector<std::string>& words, const std::string& description) {
  const auto take = [&into = options.named, name](const std::string& text) { into.push_back(name + "=" + text); };
  CLI::Option* const option = command.add_option_function<std::string>("--" + name, take, description);
  if (words.empty()) return option->type_name("ZONE");
  return option->type_name("WORD")->check(one_of(words));
}

CLI::Option* add_count(CLI::App& command, InitOptions& options, const std::string& name, std::uint64_t most,
                       const std::string& description) {
  const auto take = [&into = options.named, name](std::uint64_t number) {
    into.push_back(name + "=" + std::to_string(number));
  };
  return add_number(command, "--" + name, 1, most, take, description);
}

void add_counters_of(CLI::App& command, InitOptions& options) {
  command.add_option("--counter", options.counters, "Make this counter in the namespace instead; may be repeated")
      ->type_name("NAME")
      ->allow_extra_args(false);
  add_after(command, options.after);
  constexpr std::uint64_t kMostDigits = 10;
  options.of_counters = {
      command.get_option("--after"),
      add_word(command, options, "kind", {"segment", "date"}, "What it counts: for ever, or from 1 each period"),
      add_word(command, options, "failover", {"jump", "stop", "trust"}, "If the store may have lost numbers"),
      add_count(command, options, "rate", kGreatestNumber, "Sizes the jump after a failover: numbers a second"),
      add_count(command, options, "burst", kGreatestNumber, "The same: numbers at once"),
      add_count(command, options, "top", kGreatestNumber, "The last number"),
      add_word(command, options, "period", {"yyyyMMdd", "yyyyMM", "yyyy"}, "Of a date: its period"),
      add_count(command, options, "digits", kMostDigits, "Of a date: digits of the count within a period"),
      add_word(command, options, "zone", {}, "Of a date: the offset of its periods, such as +08:00")};
}

}  // namespace

void add_init(CLI::App& app, Program& program) {
  const auto [command, options] =
      add_command(app, program, "init", "Make a namespace in a store, or its counters, where they are missing",
                  kInitExamples, run_init);
  command.add_option("STORE", options.store, "Address of the store, with ?namespace=")->type_name("")->required();
  options.of_namespaces = {
      add_layout_option(command, options.layout),
      command.add_flag("--fresh", options.fresh, "Vouch that none of its name ever was, so that nothing waits")};
  add_counters_of(command, options);
  add_json(command, options.json, "the namespace, or each counter");
}

}  // namespace polyflake::cli
