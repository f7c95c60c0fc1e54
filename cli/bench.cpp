// polyflake bench: measures the cost of an id on this machine, in a second or two.
#include <polyflake/clock.hpp>
#include <polyflake/codec.hpp>
#include <polyflake/generator.hpp>

#include <algorithm>
#include <chrono>
#include <optional>
#include <vector>

#include "description.hpp"
#include "json.hpp"
#include "numbers.hpp"
#include "program.hpp"

namespace polyflake::cli {
namespace {

constexpr const char* kBenchExamples = "  polyflake bench\n";

struct BenchOptions {
  bool json = false;
};

double steady_ns() {
  return static_cast<double>(std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1));
}

// Keeps the compiler from removing the computation.
volatile std::uint64_t g_sink;

// Returns the nanoseconds of one call: the least of some rounds, since other programs only add to
// it.
template <class Call>
double ns_of(std::size_t calls, const Call& call) {
  constexpr int kRounds = 7;
  double least = 1e18;
  for (int round = 0; round < kRounds; ++round) {
    const double begin = steady_ns();
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < calls; ++i) sum += call(i);
    least = std::min(least, steady_ns() - begin);
    g_sink = sum;
  }
  return least / static_cast<double>(calls);
}

class Page {
 public:
  Page(Program& program, bool json) : out_(program.out), style_(program.style()), json_(json) {}
  void row(std::string_view name, double ns, const std::string& note, std::optional<double> decode_ns = std::nullopt) {
    if (json_) return json_row(name, ns, decode_ns);
    const std::string number = with_decimals(ns, 2);
    const std::string blanks(number.size() < 8 ? 8 - number.size() : 0, ' ');
    const std::string more = decode_ns ? "; decode " + with_decimals(*decode_ns, 2) + " ns" : "";
    out_.write(labelled(name, style_) + blanks + number + " ns  " + note + more + "\n");
    out_.flush();
  }

 private:
  void json_row(std::string_view name, double ns, std::optional<double> decode_ns) {
    std::string& text = out_.buffer();
    JsonObject json(text);
    json.text("name", name);
    json.open(decode_ns ? "encode_ns" : "ns");
    text += with_decimals(ns, 2);
    if (decode_ns) {
      json.open("decode_ns");
      text += with_decimals(*decode_ns, 2);
    }
    json.end_line();
    out_.flush();
  }

  Output& out_;
  const Style style_;
  const bool json_;
};

// For ids without a user: of a layout that nothing else has, whose ticks are never used up, so that
// no call waits.
Generator make_generator() {
  polyflake::Options options;
  options.worker = 0;
  options.layout = "timestamp:32 sequence:31 tick=1s epoch=2020-01-01T00:00:00.000Z";
  return Generator(options);
}

Outcome run_bench(Program& program, const BenchOptions& options) {
  constexpr std::size_t kCalls = 300'000;
  constexpr std::size_t kBatch = 4096;
  Page page(program, options.json);
  page.row("clock", ns_of(kCalls, [](std::size_t) { return static_cast<std::uint64_t>(SystemClock::read_ms()); }),
           "one reading of the clock");
  Generator generator = make_generator();
  generator.next_id();  // waits for its first tick
  page.row("next_id", ns_of(kCalls, [&](std::size_t) { return generator.next_id(); }), "one id");
  std::vector<std::uint64_t> ids(kBatch);
  const double batch_ns = ns_of(kCalls / kBatch, [&](std::size_t) {
    generator.fill(ids.data(), ids.size());
    return ids.back();
  });
  page.row("batch", batch_ns / kBatch, "one id of a batch of " + std::to_string(kBatch));
  const std::uint64_t id = 878208028622848005;
  for (const std::string& name : codec_names()) {
    const Codec codec = Codec::named(name);
    const std::string text = codec.encode(id);
    char written[Codec::kLongest];
    const double encode_ns = ns_of(kCalls, [&](std::size_t i) { return codec.encode(id + i, written); });
    const double decode_ns = ns_of(kCalls, [&](std::size_t) { return codec.decode(text); });
    page.row(name, encode_ns, "encode", decode_ns);
  }
  return kWell;
}

}  // namespace

void add_bench(CLI::App& app, Program& program) {
  const auto [command, options] = add_command(
      app, program, "bench", "Measure what an id costs here, in a second or two", kBenchExamples, run_bench);
  add_json(command, options.json, "each figure");
}

}  // namespace polyflake::cli
