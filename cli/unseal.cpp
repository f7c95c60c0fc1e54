// polyflake unseal: ids of their private forms.
#include "sealed.hpp"

namespace polyflake::cli {
namespace {

constexpr const char* kUnsealExamples =
    "  polyflake unseal --key-file /run/secrets/ids --tweak order 5BGyE8Huama\n"
    "  cat texts | polyflake unseal --key-file /run/secrets/ids --tweak user > ids\n";

struct UnsealOptions {
  IdOptions ids;
  Sealed sealed;
};

Outcome run_unseal(Program& program, const UnsealOptions& options) {
  const Seal seal = options.sealed.seal(options.ids);
  return each_text(program, options.ids, [&](std::string_view given) {
    program.out.write(std::to_string(seal.decode(given, options.sealed.codec)) + "\n");
  });
}

}  // namespace

void add_unseal(CLI::App& app, Program& program) {
  auto options = std::make_shared<UnsealOptions>();
  CLI::App* const command =
      add_command(app, program, "unseal", "Read ids from their private forms", kUnsealExamples, options, run_unseal);
  add_ids(*command, options->ids, "TEXT");
  add_sealed(*command, options->sealed);
}

}  // namespace polyflake::cli
