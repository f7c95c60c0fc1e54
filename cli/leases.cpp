// polyflake leases: the holders of node ids, and the ends of their windows.
#include <polyflake/layout.hpp>
#include <polyflake/registry_contents.hpp>
#include <polyflake/text.hpp>

#include <optional>

#include "description.hpp"
#include "json.hpp"
#include "program.hpp"

namespace polyflake::cli {
namespace {

constexpr const char* kLeasesExamples =
    "  polyflake leases\n"
    "  polyflake leases --layout twitter\n"
    "  polyflake leases 'redis://localhost/0?namespace=orders'\n";

struct LeasesOptions {
  std::optional<std::string> store;
  std::optional<std::string> layout;
  Now now;
  bool json = false;
};

class Table {
 public:
  Table(Program& program, std::int64_t now_ms) : out_(program.out), now_ms_(now_ms) {
    const Style style = program.style();
    row(style.dim(filled("node id", kNode)), style.dim(filled("until", kUntil)), style.dim("holder"));
  }

  void node(const std::string& node, std::int64_t until_ms, const std::string& holder) {
    row(filled(node, kNode), filled(to_utc(until_ms), kUntil), one_line(holder) + ", " + relative(until_ms, now_ms_));
  }
  void unusable(const std::string& node, const std::string& why) {
    row(filled(node, kNode), filled("unknown", kUntil), one_line(why));
  }

 private:
  static constexpr std::size_t kNode = 10;
  static constexpr std::size_t kUntil = 26;

  static std::string filled(std::string text, std::size_t width) {
    text.append(text.size() < width ? width - text.size() : 1, ' ');
    return text;
  }
  void row(const std::string& node, const std::string& until, const std::string& holder) {
    out_.write(node + until + holder + "\n");
  }

  Output& out_;
  const std::int64_t now_ms_;
};

void append_window(JsonObject& json, std::int64_t until_ms) {
  json.text("until", to_utc(until_ms));
  json.number("until_ms", until_ms);
}

void append_json(std::string& text, const std::string& layout, const HostFolder& folder, const HostNode& node) {
  JsonObject json(text);
  json.said("layout", layout);
  json.text("fingerprint", to_text(folder.fingerprint, "hex"));
  json.text("node", std::to_string(node.node));
  if (!node.unusable.empty()) {
    json.said("unusable", node.unusable);
  } else {
    json.boolean("held", node.held);
    if (node.empty) {
      json.none("until");
    } else {
      append_window(json, node.until_ms);
      json.said("holder", node.holder);
    }
  }
  json.end_line();
}

std::string name_of(std::uint64_t fingerprint) {
  const auto preset = preset_of(fingerprint);
  return preset ? *preset : "of fingerprint " + to_text(fingerprint, "hex");
}

Outcome of_this_host(Program& program, const LeasesOptions& options, std::int64_t now_ms) {
  const Style style = program.style();
  std::optional<std::uint64_t> wanted;
  if (options.layout) wanted = Layout(*options.layout).fingerprint();
  if (!options.json) program.out.write(labelled("registry", style) + one_line(registry_home().path) + "\n");
  for (const HostFolder& folder : registry_contents()) {
    if (wanted && *wanted != folder.fingerprint) continue;
    const std::string name = wanted ? *options.layout : name_of(folder.fingerprint);
    if (options.json) {
      for (const HostNode& node : folder.nodes) append_json(program.out.buffer(), name, folder, node);
      continue;
    }
    program.out.write("\n" + labelled("layout", style) + name + "\n");
    Table table(program, now_ms);
    for (const HostNode& node : folder.nodes) {
      const std::string number = std::to_string(node.node);
      if (!node.unusable.empty()) {
        table.unusable(number, node.unusable);
      } else if (node.empty && !node.held) {
        table.unusable(number, "free, its file has no record");
      } else {
        table.node(number, node.until_ms, (node.held ? "held by " : "free, last of ") + node.holder);
      }
    }
  }
  return kWell;
}

Outcome of_store(Program& program, const LeasesOptions& options, const Rows& rows) {
  const auto until_ms = [](const Row& row) { return static_cast<std::int64_t>(from_text(row.at(1))); };
  if (options.json) {
    for (const Row& row : rows) {
      JsonObject json(program.out.buffer());
      json.said("node", row.at(0));
      append_window(json, until_ms(row));
      json.said("holder", row.at(2));
      json.end_line();
    }
    return kWell;
  }
  Table table(program, options.now.ms());
  for (const Row& row : rows) table.node(row.at(0), until_ms(row), row.at(2));
  return kWell;
}

Outcome run_leases(Program& program, const LeasesOptions& options) {
  const std::int64_t now_ms = options.now.ms();
  if (!options.store) return of_this_host(program, options, now_ms);
  const std::string layout = options.layout.value_or("polyflake");
  const Layout known(layout);  // throws if the given text is not a layout
  return Outcome({"leases", *options.store, layout, {}},
                 [&program, &options](const Rows& rows) { return of_store(program, options, rows); });
}

}  // namespace

void add_leases(CLI::App& app, Program& program) {
  const auto [command, options] = add_command(
      app, program, "leases", "Say who holds which node id, on this host or in a store", kLeasesExamples, run_leases);
  command.add_option("STORE", options.store, "Address of a store; this host's registry where there is none")
      ->type_name("");
  command.add_option("--layout", options.layout, "Preset or layout text; on this host all there are")
      ->type_name("LAYOUT");
  add_now(command, options.now);
  add_json(command, options.json, "each node id");
}

}  // namespace polyflake::cli
