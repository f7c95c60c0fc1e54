// polyflake inspect: what ids say.
#include "codec_choice.hpp"
#include "description.hpp"
#include "guess.hpp"
#include "ids.hpp"
#include "program.hpp"

namespace polyflake::cli {
namespace {

constexpr const char* kInspectExamples =
    "  polyflake inspect 878208028622848005\n"
    "  polyflake inspect --layout twitter 345063379196600321\n"
    "  polyflake inspect --codec base62 12sCWpHF9NN\n"
    "  polyflake inspect --guess 345063379196600321\n"
    "  cat ids | polyflake inspect --json | jq -r .time\n";

struct InspectOptions {
  IdOptions ids;
  CodecChoice codec;
  std::string layout = "polyflake";
  Now now;
  bool json = false;
  bool guess = false;
};

Outcome run_inspect(Program& program, const InspectOptions& options) {
  const Codec codec = options.codec.codec();
  Description description(options.layout, Layout(options.layout));
  const Style style = program.style();
  const bool now_is_given = options.now.text.has_value();
  const std::int64_t given_ms = options.now.ms();
  bool first = true;
  return each_text(program, options.ids, [&](std::string_view text) {
    const std::uint64_t id = codec.decode(text);
    const std::int64_t now_ms = now_is_given ? given_ms : options.now.ms();
    std::string& out = program.out.buffer();
    if (options.json) {
      options.guess ? append_guesses_json(out, id, now_ms) : description.append_json(out, id, now_ms);
    } else {
      std::string lines = first ? "" : "\n";
      options.guess ? append_guesses_text(lines, id, now_ms, style) : description.append_text(lines, id, now_ms, style);
      out += lines;
      first = false;
    }
    program.out.made();
  });
}

}  // namespace

void add_inspect(CLI::App& app, Program& program) {
  auto options = std::make_shared<InspectOptions>();
  CLI::App* const command =
      add_command(app, program, "inspect", "Say what ids mean: their time, their fields, their text forms",
                  kInspectExamples, options, run_inspect);
  add_ids(*command, options->ids, "ID");
  CLI::Option* const layout = add_layout(*command, options->layout);
  add_codec(*command, options->codec, "Text form of the ids that are given");
  command->add_flag("--json", options->json, "A line of JSON for each id");
  command->add_flag("--guess", options->guess, "Say which layouts they may be of, the likeliest first")
      ->excludes(layout);
  add_now(*command, options->now);
}

}  // namespace polyflake::cli
