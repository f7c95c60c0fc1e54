// polyflake presets: the layouts that have a name.
#include <polyflake/layout.hpp>

#include <algorithm>

#include "program.hpp"

namespace polyflake::cli {
namespace {

constexpr const char* kPresetsExamples = "  polyflake presets\n";

struct PresetsOptions {};

Outcome run_presets(Program& program, const PresetsOptions&) {
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
  add_command(app, program, "presets", "List the layouts that have a name", kPresetsExamples,
              std::make_shared<PresetsOptions>(), run_presets);
}

}  // namespace polyflake::cli
