// polyflake init: makes a namespace in a store.
#include <polyflake/layout.hpp>

#include "description.hpp"
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
};

Outcome run_init(Program& program, const InitOptions& options) {
  const Layout layout(options.layout);
  Request request{"init", options.store, options.layout, {}};
  if (options.fresh) request.arguments.emplace_back("fresh");
  return Outcome(std::move(request), [&program](const Rows& rows) {
    program.out.write(labelled("uuid", program.style()) + rows.at(0).at(0) + "\n");
    return kWell;
  });
}

}  // namespace

void add_init(CLI::App& app, Program& program) {
  auto options = std::make_shared<InitOptions>();
  CLI::App* const command = add_command(app, program, "init", "Make a namespace in a store, where it is missing",
                                        kInitExamples, options, run_init);
  command->add_option("STORE", options->store, "Address of the store, with ?namespace=")->type_name("")->required();
  add_layout(*command, options->layout);
  command->add_flag("--fresh", options->fresh, "Vouch that none of its name ever was, so that nothing waits");
}

}  // namespace polyflake::cli
