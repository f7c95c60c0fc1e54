// polyflake seal: private forms of ids.
#include <polyflake/codec.hpp>

#include "sealed.hpp"

namespace polyflake::cli {
namespace {

constexpr const char* kSealExamples =
    "  polyflake seal --key-file /run/secrets/ids --tweak order 878208028622848005\n"
    "  cat ids | polyflake seal --key-file /run/secrets/ids --tweak user > texts\n";

Outcome run_seal(Program& program, const Sealed& sealed) {
  const SealRing ring = sealed.ring();
  const Codec decimal = Codec::named("decimal");
  return each_text(program, sealed.ids, [&](std::string_view given) {
    program.out.write(ring.encode(decimal.decode(given), sealed.codec) + "\n");
  });
}

}  // namespace

void add_seal(CLI::App& app, Program& program) {
  const auto [command, sealed] =
      add_command(app, program, "seal", "Write the private forms of ids", kSealExamples, run_seal);
  add_sealed(command, sealed, "ID");
}

}  // namespace polyflake::cli
