// polyflake diff: what two ids of a layout differ in.
#include <polyflake/text.hpp>

#include <algorithm>

#include "codec_choice.hpp"
#include "description.hpp"
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
};

class Table {
 public:
  Table(Output& out, const Style& style) : out_(out), style_(style) {}

  void row(std::string_view name, const std::string& a, const std::string& b, const std::string& difference) {
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
  Output& out_;
  const Style& style_;
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
  Table table(program.out, style);
  table.numbers("id", a, b);
  table.row("time", to_utc(of_a.time_ms), to_utc(of_b.time_ms), between(of_a.time_ms, of_b.time_ms));
  table.numbers("tick", of_a.tick, of_b.tick);
  if (of_a.fields.size() != 1) table.numbers("node", of_a.node, of_b.node);
  for (std::size_t i = 0; i < of_a.fields.size(); ++i) {
    table.numbers(layout.node_fields()[i].name, of_a.fields[i], of_b.fields[i]);
  }
  table.numbers("sequence", of_a.sequence, of_b.sequence);
  const Description description(options.layout, layout);
  std::string bits;
  description.append_bits(bits, {a, b, a ^ b}, style);
  program.out.write(bits);
  return kWell;
}

}  // namespace

void add_diff(CLI::App& app, Program& program) {
  auto options = std::make_shared<DiffOptions>();
  CLI::App* const command = add_command(app, program, "diff", "Say what two ids differ in, the second from the first",
                                        kDiffExamples, options, run_diff);
  command->add_option("A", options->a, "The first id")->type_name("")->required();
  command->add_option("B", options->b, "The second id")->type_name("")->required();
  add_layout(*command, options->layout);
  add_codec(*command, options->codec, "Text form of the ids that are given");
}

}  // namespace polyflake::cli
