// polyflake init: makes a namespace in a store.
#include <polyflake/layout.hpp>

#include "description.hpp"
#include "json.hpp"
#include "program.hpp"

namespace polyflake::cli {
namespace {

constexpr const char* kInitExamples =
    "  polyflake init 'redis://localhost/0?namespace=orders'\n"
    "  polyflake init --layout twitter --fresh 'postgresql://localhost/app?namespace=orders'\n";

struct InitOptions {
  std::string store;
  std::string layout = "polyflake";
  bool fresh = false;
  bool json = false;
};

Outcome run_init(Program& program, const InitOptions& options) {
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

}  // namespace

void add_init(CLI::App& app, Program& program) {
  const auto [command, options] =
      add_command(app, program, "init", "Make a namespace in a store, where it is missing", kInitExamples, run_init);
  command.add_option("STORE", options.store, "Address of the store, with ?namespace=")->type_name("")->required();
  add_layout_option(command, options.layout);
  command.add_flag("--fresh", options.fresh, "Vouch that none of its name ever was, so that nothing waits");
  add_json(command, options.json, "the namespace");
}

}  // namespace polyflake::cli
