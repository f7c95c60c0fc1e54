// polyflake encode: ids to text.
#include "codec_choice.hpp"
#include "ids.hpp"
#include "program.hpp"

namespace polyflake::cli {
namespace {

constexpr const char* kEncodeExamples =
    "  polyflake encode --codec base62 878208028622848005\n"
    "  polyflake encode --codec crockford32 --check 878208028622848005\n"
    "  cat ids | polyflake encode --codec hex\n";

struct EncodeOptions {
  IdOptions ids;
  CodecChoice codec;
};

Outcome run_encode(Program& program, const EncodeOptions& options) {
  const Codec codec = options.codec.codec();
  const Codec decimal = Codec::named("decimal");
  return each_text(program, options.ids, [&](std::string_view given) {
    char text[Codec::kLongest];
    program.out.write(std::string_view(text, codec.encode(decimal.decode(given), text)));
    program.out.write("\n");
  });
}

}  // namespace

void add_encode(CLI::App& app, Program& program) {
  auto options = std::make_shared<EncodeOptions>();
  CLI::App* const command =
      add_command(app, program, "encode", "Write ids in another text form", kEncodeExamples, options, run_encode);
  add_ids(*command, options->ids, "ID");
  add_codec(*command, options->codec, "Text form to write")->default_str("")->required();
}

}  // namespace polyflake::cli
