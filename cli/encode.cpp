// polyflake encode: ids to text.
#include "ids.hpp"
#include "json.hpp"
#include "program.hpp"
#include "text_form.hpp"

namespace polyflake::cli {
namespace {

constexpr const char* kEncodeExamples =
    "  polyflake encode --codec base62 878208028622848005\n"
    "  polyflake encode --codec crockford32 --check 878208028622848005\n"
    "  polyflake encode --codec sqids 878208028622848005\n"
    "  cat ids | polyflake encode --codec hex\n";

struct EncodeOptions {
  IdOptions ids;
  FormChoice form;
  bool json = false;
};

Outcome run_encode(Program& program, const EncodeOptions& options) {
  const Codec decimal = Codec::named("decimal");
  if (!options.form.is_codec()) {
    const ListForm form = list_form_of(options.form);
    return each_text(program, options.ids, [&](std::string_view given) {
      const std::string text = form.encode(decimal.decode(given));
      if (options.json) return append_json(program.out, given, options.form.codec.name, text);
      program.out.write(text + "\n");
    });
  }
  const Codec codec = codec_of(options.form);
  return each_text(program, options.ids, [&](std::string_view given) {
    char text[Codec::kLongest];
    const std::string_view encoded(text, codec.encode(decimal.decode(given), text));
    if (options.json) return append_json(program.out, given, codec.name(), encoded);
    program.out.write(encoded);
    program.out.write("\n");
  });
}

}  // namespace

void add_encode(CLI::App& app, Program& program) {
  const auto [command, options] =
      add_command(app, program, "encode", "Write ids in another text form", kEncodeExamples, run_encode);
  add_ids(command, options.ids, "ID");
  add_form(command, options.form, "Text form to write");
  add_json(command, options.json, "each id");
}

}  // namespace polyflake::cli
