// polyflake inspect: shows the fields of ids.
#include <polyflake/friendly.hpp>

#include "codec_choice.hpp"
#include "description.hpp"
#include "guess.hpp"
#include "ids.hpp"
#include "kind_description.hpp"
#include "program.hpp"

namespace polyflake::cli {
namespace {

constexpr const char* kInspectExamples =
    "  polyflake inspect 878208028622848005\n"
    "  polyflake inspect 019b76da-a800-7000-8000-000000000000\n"
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
  const CLI::Option* form = nullptr;  // --codec
};

// Ids of any kind: their shape tells the kind, unless a codec is given.
class Inspection {
 public:
  Inspection(const InspectOptions& options, const Style& style)
      : options_(options),
        style_(style),
        codec_(options.codec.codec()),
        layout_(options.layout),
        description_(options.layout, layout_),
        kinds_(options.layout, layout_),
        by_shape_(options.form->count() == 0 && !options.codec.width && !options.codec.check) {}

  // Errors: as codecs, UUIDs and ObjectIds; then it appends nothing.
  void append(std::string& out, std::string_view text, std::int64_t now_ms) {
    const Shape shape = by_shape_ ? shape_of(text) : Shape::number;
    if (shape == Shape::other_kind) return append_kind(out, text, now_ms);
    append_id(out, shape == Shape::friendly ? from_friendly(layout_, text) : codec_.decode(text), now_ms);
  }

 private:
  void append_kind(std::string& out, std::string_view text, std::int64_t now_ms) {
    if (options_.json) return kinds_.append_json(out, text, now_ms);
    kinds_.append_text(out, text, now_ms, style_);
  }

  void append_id(std::string& out, std::uint64_t id, std::int64_t now_ms) {
    if (options_.json) {
      options_.guess ? append_guesses_json(out, id, now_ms) : description_.append_json(out, id, now_ms);
    } else {
      options_.guess ? append_guesses_text(out, id, now_ms, style_) : description_.append_text(out, id, now_ms, style_);
    }
  }

  const InspectOptions& options_;
  const Style style_;
  const Codec codec_;
  const Layout layout_;
  Description description_;
  KindDescription kinds_;
  const bool by_shape_;
};

Outcome run_inspect(Program& program, const InspectOptions& options) {
  Inspection inspection(options, program.style());
  const bool now_is_given = options.now.text.has_value();
  const std::int64_t given_ms = options.now.ms();
  bool first = true;
  return each_text(program, options.ids, [&](std::string_view text) {
    const std::int64_t now_ms = now_is_given ? given_ms : options.now.ms();
    std::string& out = program.out.buffer();
    if (options.json) {
      inspection.append(out, text, now_ms);
    } else {
      std::string lines = first ? "" : "\n";
      inspection.append(lines, text, now_ms);
      out += lines;
      first = false;
    }
    program.out.made();
  });
}

}  // namespace

void add_inspect(CLI::App& app, Program& program) {
  const auto [command, options] =
      add_command(app, program, "inspect", "Say what ids mean: their time, their fields, their text forms",
                  kInspectExamples, run_inspect);
  add_ids(command, options.ids, "ID");
  CLI::Option* const layout = add_layout_option(command, options.layout);
  options.form = add_codec(command, options.codec, "Text form of the ids that are given; else their shape tells it");
  command.add_flag("--json", options.json, "A line of JSON for each id");
  command.add_flag("--guess", options.guess, "Say which layouts they may be of, the likeliest first")->excludes(layout);
  add_now(command, options.now);
}

}  // namespace polyflake::cli
