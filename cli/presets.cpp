// polyflake presets: lists the layouts that have a name.
#include <polyflake/layout.hpp>

#include <algorithm>

#include "json.hpp"
#include "program.hpp"

namespace polyflake::cli {
namespace {

constexpr const char* kPresetsExamples = "  polyflake presets\n";

struct PresetsOptions {
  bool json = false;
};

Outcome run_presets(Program& program, const PresetsOptions& options) {
  if (options.json) {
    for (const std::string& name : Layout::preset_names()) {
      JsonObject json(program.out.buffer());
      json.text("preset", name);
      json.text("layout", Layout::preset(name).text());
      json.end_line();
    }
    return kWell;
  }
  const Style style = program.style();
  std::size_t longest = 0;
  for (const std::string& name : Layout::preset_names()) longest = std::max(longest, name.size());
  for (const std::string& name : Layout::preset_names()) {
    program.out.write(style.bold(name) + std::string(longest + 2 - name.size(), ' ') + Layout::preset(name).text() +
                      "\n");
  }
  return kWell;
}

}  // namespace

void add_presets(CLI::App& app, Program& program) {
  const auto [command, options] =
      add_command(app, program, "presets", "List the layouts that have a name", kPresetsExamples, run_presets);
  add_json(command, options.json, "each of them");
}

}  // namespace polyflake::cli
