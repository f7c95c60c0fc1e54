// polyflake unseal: ids of their private forms.
#include "sealed.hpp"

namespace polyflake::cli {
namespace {

constexpr const char* kExamples =
    "  polyflake unseal --key-file /run/secrets/ids --tweak order 5BGyE8Huama\n"
    "  cat texts | polyflake unseal --key-file /run/secrets/ids --tweak user > ids\n";

struct Options {
  IdOptions ids;
  Sealed sealed;
};

Outcome run(Program& program, const Options& options) {
  const Seal seal = options.sealed.seal(options.ids);
  return each_text(program, options.ids, [&](std::string_view given) {
    program.out.write(std::to_string(seal.decode(given, options.sealed.codec)) + "\n");
  });
}

}  // namespace

void add_unseal(CLI::App& app, Program& program) {
  auto options = std::make_shared<Options>();
  CLI::App* const command =
      add_command(app, program, "unseal", "Read ids from their private forms", kExamples, options, run);
  add_ids(*command, options->ids, "TEXT");
  add_sealed(*command, options->sealed);
}

}  // namespace polyflake::cli
