// polyflake next: new ids.
#include <polyflake/generator.hpp>
#include <polyflake/process.hpp>
#include <polyflake/text.hpp>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <vector>

#include "codec_choice.hpp"
#include "description.hpp"
#include "numbers.hpp"
#include "program.hpp"
#include "progress.hpp"

namespace polyflake::cli {
namespace {

constexpr const char* kNextExamples =
    "  polyflake next\n"
    "  polyflake next -n 5 --codec base62\n"
    "  polyflake next --worker host --layout twitter --json\n"
    "  polyflake next -n 1000000 --worker 'redis://localhost/0?namespace=orders' > ids\n";

constexpr std::uint64_t kAtOnce = 4096;

struct NextOptions {
  std::uint64_t count = 1;
  std::optional<std::string> worker;
  std::string layout = "polyflake";
  CodecChoice codec;
  bool json = false;
};

// What was chosen, by the option or by the environment; "" where nobody chose.
std::string chosen_worker(const NextOptions& options) {
  if (options.worker) return *options.worker;
  const char* const variable = std::getenv("POLYFLAKE_WORKER");
  return variable == nullptr ? "" : variable;
}

bool is_store(const std::string& worker) { return worker.find("://") != std::string::npos; }

class Ids {
 public:
  Ids(Program& program, const NextOptions& options)
      : out_(program.out),
        json_(options.json),
        codec_(options.codec.codec()),
        description_(options.layout, Layout(options.layout)),
        progress_(program.out, program.err) {}

  void write(std::uint64_t id) {
    if (json_) {
      description_.append_json(out_.buffer(), id, SystemClock::read_ms());
    } else {
      char text[Codec::kLongest];
      out_.write(std::string_view(text, codec_.encode(id, text)));
      out_.write("\n");
    }
    out_.made();
    progress_.count();
  }

 private:
  Output& out_;
  const bool json_;
  const Codec codec_;
  Description description_;
  Progress progress_;
};

Outcome from_generator(Program& program, const NextOptions& options) {
  Ids written(program, options);
  polyflake::Options wanted;
  wanted.layout = options.layout;
  if (options.worker) wanted.worker = parse_worker_environment(*options.worker);
  Generator generator(wanted);
  if (const std::string warning = take_warning(); !warning.empty()) {
    program.err.write(warning + "\n");
    program.err.flush();
  }
  std::vector<std::uint64_t> ids;
  for (std::uint64_t left = options.count; left > 0; left -= ids.size()) {
    ids.resize(std::min(left, kAtOnce));
    generator.fill(ids.data(), ids.size());
    for (const std::uint64_t id : ids) written.write(id);
  }
  generator.close();
  release_all();  // a host that embeds the command may end in ways of its own
  return kWell;
}

Outcome from_store(const std::shared_ptr<Ids>& written, const std::string& store, const std::string& layout,
                   std::uint64_t left) {
  if (left == 0) return kWell;
  Request request{"next", store, layout, {std::to_string(std::min(left, kAtOnce))}};
  return Outcome(std::move(request), [=](const Rows& rows) {
    for (const Row& row : rows) written->write(from_text(row.at(0)));
    return from_store(written, store, layout, left - rows.size());
  });
}

Outcome run_next(Program& program, const NextOptions& options) {
  const std::string worker = chosen_worker(options);
  if (!is_store(worker)) return from_generator(program, options);
  return from_store(std::make_shared<Ids>(program, options), worker, options.layout, options.count);
}

}  // namespace

void add_next(CLI::App& app, Program& program) {
  auto options = std::make_shared<NextOptions>();
  CLI::App* const command = add_command(app, program, "next", "Issue ids", kNextExamples, options, run_next);
  add_number(
      *command, "-n,--count", 1, 1'000'000'000'000, [options](std::uint64_t count) { options->count = count; },
      "How many")
      ->default_str("1");
  command
      ->add_option(
          "--worker", options->worker,
          "Where the node id comes from, as in POLYFLAKE_WORKER: a number, host, host:7, ordinal, or the address of a "
          "store")
      ->type_name("WORKER");
  add_layout(*command, options->layout);
  CLI::Option* const codec = add_codec(*command, options->codec, "Text form of the ids");
  command->add_flag("--json", options->json, "A line of JSON for each id, as inspect has it, with all text forms")
      ->excludes(codec)
      ->excludes("--width")
      ->excludes("--check");
}

}  // namespace polyflake::cli
