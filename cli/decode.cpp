// polyflake decode: text to ids.
#include <polyflake/text.hpp>

#include "codec_choice.hpp"
#include "ids.hpp"
#include "program.hpp"

namespace polyflake::cli {
namespace {

constexpr const char* kDecodeExamples =
    "  polyflake decode --codec base62 12sCWpHF9NN\n"
    "  polyflake decode --codec crockford32 --check 0RC05HJ8FC005?\n"
    "  cat texts | polyflake decode --codec hex --keep-going\n";

struct DecodeOptions {
  IdOptions ids;
  CodecChoice codec;
};

Outcome run_decode(Program& program, const DecodeOptions& options) {
  const Codec codec = options.codec.codec();
  return each_text(program, options.ids, [&](std::string_view given) {
    char text[kLongestDecimal + 1];
    std::size_t length = write_decimal(codec.decode(given), text);
    text[length++] = '\n';
    program.out.write(std::string_view(text, length));
  });
}

}  // namespace

void add_decode(CLI::App& app, Program& program) {
  auto options = std::make_shared<DecodeOptions>();
  CLI::App* const command =
      add_command(app, program, "decode", "Read ids from their text forms", kDecodeExamples, options, run_decode);
  add_ids(*command, options->ids, "TEXT");
  add_codec(*command, options->codec, "Text form to read")->default_str("")->required();
}

}  // namespace polyflake::cli
