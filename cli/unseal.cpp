// polyflake unseal: gives the ids of private forms.
#include "sealed.hpp"

namespace polyflake::cli {
namespace {

constexpr const char* kUnsealExamples =
    "  polyflake unseal --key-file /run/secrets/ids --tweak order 5BGyE8Huama\n"
    "  polyflake unseal --key-file new --key-id k2 --key-file old --key-id k1 < texts\n"
    "  cat texts | polyflake unseal --key-file /run/secrets/ids --tweak user > ids\n";

Outcome run_unseal(Program& program, const Sealed& sealed) {
  const SealRing ring = sealed.ring();
  const bool alone = ring.seals().size() == 1;  // whose refusals say more
  return each_text(program, sealed.ids, [&](std::string_view given) {
    const std::uint64_t id = alone ? ring.seals()[0].decode(given, sealed.codec) : ring.decode(given, sealed.codec);
    program.out.write(std::to_string(id) + "\n");
  });
}

}  // namespace

void add_unseal(CLI::App& app, Program& program) {
  const auto [command, sealed] =
      add_command(app, program, "unseal", "Read ids from their private forms", kUnsealExamples, run_unseal);
  add_sealed(command, sealed, "TEXT");
}

}  // namespace polyflake::cli
