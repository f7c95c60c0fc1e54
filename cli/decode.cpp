// polyflake decode: text to ids.
#include <polyflake/text.hpp>

#include "ids.hpp"
#include "json.hpp"
#include "program.hpp"
#include "text_form.hpp"

namespace polyflake::cli {
namespace {

constexpr const char* kDecodeExamples =
    "  polyflake decode --codec base62 12sCWpHF9NN\n"
    "  polyflake decode --codec crockford32 --check 0RC05HJ8FC005?\n"
    "  cat texts | polyflake decode --codec hex --keep-going\n";

struct DecodeOptions {
  IdOptions ids;
  FormChoice form;
  bool json = false;
};

Outcome run_decode(Program& program, const DecodeOptions& options) {
  if (!options.form.is_codec()) {
    const ListForm form = list_form_of(options.form);
    return each_text(program, options.ids, [&](std::string_view given) {
      const char* separator = "";
      for (const std::uint64_t id : form.decode(given)) {
        if (options.json) {
          append_json(program.out, std::to_string(id), options.form.codec.name, given);
          continue;
        }
        program.out.write(separator + std::to_string(id));
        separator = " ";
      }
      if (!options.json) program.out.write("\n");
    });
  }
  const Codec codec = codec_of(options.form);
  return each_text(program, options.ids, [&](std::string_view given) {
    char text[kLongestDecimal + 1];
    std::size_t length = write_decimal(codec.decode(given), text);
    if (options.json) return append_json(program.out, std::string_view(text, length), codec.name(), given);
    text[length++] = '\n';
    program.out.write(std::string_view(text, length));
  });
}

}  // namespace

void add_decode(CLI::App& app, Program& program) {
  const auto [command, options] =
      add_command(app, program, "decode", "Read ids from their text forms", kDecodeExamples, run_decode);
  add_ids(command, options.ids, "TEXT");
  add_form(command, options.form, "Text form to read");
  add_json(command, options.json, "each text");
}

}  // namespace polyflake::cli
