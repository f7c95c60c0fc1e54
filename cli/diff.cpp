// polyflake diff: the differences between two ids of a layout.
#include <polyflake/text.hpp>

#include <algorithm>
#include <optional>

#include "codec_choice.hpp"
#include "description.hpp"
#include "json.hpp"
#include "program.hpp"

namespace polyflake::cli {
namespace {

constexpr const char* kDiffExamples =
    "  polyflake diff 878208028622848005 878208028627042316\n"
    "  polyflake diff --codec base62 12sCWpHF9NN 12sCWpHWl7U\n";

struct DiffOptions {
  std::string a;
  std::string b;
  CodecChoice codec;
  std::string layout = "polyflake";
  bool json = false;
};

class Differences {
 public:
  Differences(Output& out, const Style& style, JsonObject* json) : out_(out), style_(style), json_(json) {}

  void row(std::string_view name, const std::string& a, const std::string& b, const std::string& difference) {
    if (json_ != nullptr) return member(name, a, b, difference);
    constexpr std::size_t kColumn = 26;
    const auto column = [](const std::string& text) {
      return text + std::string(text.size() < kColumn ? kColumn - text.size() : 1, ' ');
    };
    out_.write(labelled(name, style_) + column(a) + column(b) + difference + "\n");
  }

  void numbers(std::string_view name, std::uint64_t a, std::uint64_t b) {
    const bool less = b < a;
    const std::string difference = a == b ? "=" : (less ? "-" : "+") + std::to_string(less ? a - b : b - a);
    row(name, std::to_string(a), std::to_string(b), difference);
  }

 private:
  void member(std::string_view name, const std::string& a, const std::string& b, const std::string& difference) {
    json_->open(name);
    JsonObject values(out_.buffer());
    values.text("a", a);
    values.text("b", b);
    values.text("difference", difference);
    values.end();
  }

  Output& out_;
  const Style& style_;
  JsonObject* const json_;
};

std::string between(std::int64_t a_ms, std::int64_t b_ms) {
  if (a_ms == b_ms) return "=";
  return (b_ms < a_ms ? "-" : "+") + duration(static_cast<std::uint64_t>(std::max(a_ms, b_ms) - std::min(a_ms, b_ms)));
}

Outcome run_diff(Program& program, const DiffOptions& options) {
  const Layout layout(options.layout);
  const Codec codec = options.codec.codec();
  const std::uint64_t a = codec.decode(options.a), b = codec.decode(options.b);
  const Parts of_a = layout.unpack(a), of_b = layout.unpack(b);
  const Style style = program.style();
  std::optional<JsonObject> json;
  if (options.json) json.emplace(program.out.buffer()).said("layout", options.layout);
  Differences table(program.out, style, json ? &*json : nullptr);
  table.numbers("id", a, b);
  table.row("time", to_utc(of_a.time_ms), to_utc(of_b.time_ms), between(of_a.time_ms, of_b.time_ms));
  table.numbers("tick", of_a.tick, of_b.tick);
  if (of_a.fields.size() != 1) table.numbers("node", of_a.node, of_b.node);
  const auto fields = [&](Differences& into) {
    for (std::size_t i = 0; i < of_a.fields.size(); ++i) {
      into.numbers(layout.node_fields()[i].name, of_a.fields[i], of_b.fields[i]);
    }
  };
  if (json) {
    json->open("fields");  // by themselves, since their names may be those of other members
    JsonObject members(program.out.buffer());
    Differences inner(program.out, style, &members);
    fields(inner);
    members.end();
  } else {
    fields(table);
  }
  table.numbers("sequence", of_a.sequence, of_b.sequence);
  if (json) {
    json->end_line();
    return kWell;
  }
  const Description description(options.layout, layout);
  std::string bits;
  description.append_bits(bits, {a, b, a ^ b}, style);
  program.out.write(bits);
  return kWell;
}

}  // namespace

void add_diff(CLI::App& app, Program& program) {
  const auto [command, options] = add_command(
      app, program, "diff", "Say what two ids differ in, the second from the first", kDiffExamples, run_diff);
  command.add_option("A", options.a, "The first id")->type_name("")->required();
  command.add_option("B", options.b, "The second id")->type_name("")->required();
  add_layout_option(command, options.layout);
  add_json(command, options.json, "the two");
  add_codec(command, options.codec, "Text form of the ids that are given");
}

}  // namespace polyflake::cli
