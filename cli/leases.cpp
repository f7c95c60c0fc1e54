// polyflake leases: who holds which node id, and until when.
#include <polyflake/layout.hpp>
#include <polyflake/registry_contents.hpp>
#include <polyflake/text.hpp>

#include <optional>

#include "description.hpp"
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

std::string name_of(std::uint64_t fingerprint) {
  const auto preset = preset_of(fingerprint);
  return preset ? *preset : "of fingerprint " + to_text(fingerprint, "hex");
}

Outcome of_this_host(Program& program, const LeasesOptions& options, std::int64_t now_ms) {
  const Style style = program.style();
  std::optional<std::uint64_t> wanted;
  if (options.layout) wanted = Layout(*options.layout).fingerprint();
  program.out.write(labelled("registry", style) + one_line(registry_home().path) + "\n");
  for (const HostFolder& folder : registry_contents()) {
    if (wanted && *wanted != folder.fingerprint) continue;
    program.out.write("\n" + labelled("layout", style) + (wanted ? *options.layout : name_of(folder.fingerprint)) +
                      "\n");
    Table table(program, now_ms);
    for (const HostNode& node : folder.nodes) {
      const std::string number = std::to_string(node.node);
      if (!node.unusable.empty()) {
        table.unusable(number, node.unusable);
      } else {
        table.node(number, node.until_ms, (node.held ? "held by " : "free, last of ") + node.holder);
      }
    }
  }
  return kWell;
}

Outcome of_store(Program& program, std::int64_t now_ms, const Rows& rows) {
  Table table(program, now_ms);
  for (const Row& row : rows) table.node(row.at(0), static_cast<std::int64_t>(from_text(row.at(1))), row.at(2));
  return kWell;
}

Outcome run_leases(Program& program, const LeasesOptions& options) {
  const std::int64_t now_ms = options.now.ms();
  if (!options.store) return of_this_host(program, options, now_ms);
  const std::string layout = options.layout.value_or("polyflake");
  const Layout known(layout);  // Errors: what is asked for may be none
  return Outcome({"leases", *options.store, layout, {}},
                 [&program, &options](const Rows& rows) { return of_store(program, options.now.ms(), rows); });
}

}  // namespace

void add_leases(CLI::App& app, Program& program) {
  auto options = std::make_shared<LeasesOptions>();
  CLI::App* const command =
      add_command(app, program, "leases", "Say who holds which node id, on this host or in a store", kLeasesExamples,
                  options, run_leases);
  command->add_option("STORE", options->store, "Address of a store; this host's registry where there is none")
      ->type_name("");
  command->add_option("--layout", options->layout, "Preset or layout text; on this host all there are")
      ->type_name("LAYOUT");
  add_now(*command, options->now);
}

}  // namespace polyflake::cli
