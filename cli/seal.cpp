// polyflake seal: private forms of ids.
#include <polyflake/codec.hpp>

#include "sealed.hpp"

namespace polyflake::cli {
namespace {

constexpr const char* kSealExamples =
    "  polyflake seal --key-file /run/secrets/ids --tweak order 878208028622848005\n"
    "  cat ids | polyflake seal --key-file /run/secrets/ids --tweak user > texts\n";

struct SealOptions {
  IdOptions ids;
  Sealed sealed;
};

Outcome run_seal(Program& program, const SealOptions& options) {
  const Seal seal = options.sealed.seal(options.ids);
  const Codec decimal = Codec::named("decimal");
  return each_text(program, options.ids, [&](std::string_view given) {
    program.out.write(seal.encode(decimal.decode(given), options.sealed.codec) + "\n");
  });
}

}  // namespace

void add_seal(CLI::App& app, Program& program) {
  auto options = std::make_shared<SealOptions>();
  CLI::App* const command =
      add_command(app, program, "seal", "Write the private forms of ids", kSealExamples, options, run_seal);
  add_ids(*command, options->ids, "ID");
  add_sealed(*command, options->sealed);
}

}  // namespace polyflake::cli
