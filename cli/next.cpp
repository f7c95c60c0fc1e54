// polyflake next: new ids.
#include <polyflake/generator.hpp>
#include <polyflake/kind_text.hpp>
#include <polyflake/kinds.hpp>
#include <polyflake/process.hpp>
#include <polyflake/text.hpp>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>
#include <vector>

#include "codec_choice.hpp"
#include "description.hpp"
#include "kind_description.hpp"
#include "numbers.hpp"
#include "program.hpp"
#include "progress.hpp"
#include "usage.hpp"

namespace polyflake::cli {
namespace {

constexpr const char* kNextExamples =
    "  polyflake next\n"
    "  polyflake next -n 5 --codec base62\n"
    "  polyflake next --worker host --layout twitter --json\n"
    "  polyflake next --kind uuid7\n"
    "  polyflake next -n 1000000 --worker 'redis://localhost/0?namespace=orders' > ids\n";

constexpr std::uint64_t kAtOnce = 4096;

constexpr const char* kSnowflake = "snowflake";

struct NextOptions {
  std::string kind = kSnowflake;
  std::uint64_t count = 1;
  std::optional<std::string> worker;
  std::string layout = "polyflake";
  CodecChoice codec;
  bool json = false;
  const CLI::Option* of_layout = nullptr;
  std::vector<const CLI::Option*> of_snowflakes;  // options that other kinds do not take
};

// Returns the worker from the option or from the environment; "" if neither is set.
std::string chosen_worker(const NextOptions& options) {
  if (options.worker) return *options.worker;
  const char* const variable = std::getenv("POLYFLAKE_WORKER");
  return variable == nullptr ? "" : variable;
}

void show_warning(Program& program) {
  const std::string warning = take_warning();
  if (warning.empty()) return;
  program.err.write(warning + "\n");
  program.err.flush();
}

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
  show_warning(program);
  std::vector<std::uint64_t> ids;
  for (std::uint64_t left = options.count; left > 0; left -= ids.size()) {
    ids.resize(std::min(left, kAtOnce));
    generator.fill(ids.data(), ids.size());
    for (const std::uint64_t id : ids) written.write(id);
  }
  generator.close();
  release_all();  // a host that embeds the command may end in unusual ways
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

void require_no_other_options(const NextOptions& options) {
  for (const CLI::Option* option : options.of_snowflakes) {
    if (option->count() != 0) throw UsageError(option->get_name() + " is for snowflakes, not for " + options.kind);
  }
  if (options.worker && options.kind != "uuid7")
    throw UsageError("--worker is for snowflakes and uuid7, not for " + options.kind);
  if (!options.worker && options.of_layout->count() != 0)
    throw UsageError("--layout is for snowflakes, and for uuid7 with --worker");
}

Outcome from_other_kind(Program& program, const NextOptions& options) {
  require_no_other_options(options);
  KindOptions wanted;
  if (options.worker) {
    if (is_store_address(*options.worker)) {
      throw UsageError("this command issues uuid7 with the worker host, host:N, ordinal or a number, not with a store");
    }
    wanted.set("worker", parse_worker_environment(*options.worker));
    wanted.set("layout", options.layout);
  }
  const std::unique_ptr<IdSource> source = open_kind(options.kind, std::move(wanted));
  show_warning(program);
  KindDescription description(options.layout, Layout(options.layout));
  Progress progress(program.out, program.err);
  for (std::uint64_t left = options.count; left > 0; --left) {
    const std::string id = source->next_id_string();
    if (options.json) {
      description.append_json(program.out.buffer(), id, SystemClock::read_ms());
      program.out.made();
    } else {
      program.out.write(id + "\n");
    }
    progress.count();
  }
  source->close();
  release_all();
  return kWell;
}

Outcome run_next(Program& program, const NextOptions& options) {
  if (options.kind != kSnowflake) return from_other_kind(program, options);
  const std::string worker = chosen_worker(options);
  if (!is_store_address(worker)) return from_generator(program, options);
  return from_store(std::make_shared<Ids>(program, options), worker, options.layout, options.count);
}

// The command line has no counters and no ticket servers.
std::vector<std::string> kinds_without_store() {
  std::vector<std::string> kinds = built_in_kinds();
  const auto has_store = [](const std::string& kind) {
    return kind == "segment" || kind == "date" || kind == "ticket";
  };
  kinds.erase(std::remove_if(kinds.begin(), kinds.end(), has_store), kinds.end());
  return kinds;
}

}  // namespace

void add_next(CLI::App& app, Program& program) {
  const auto [command, options] = add_command(app, program, "next", "Issue ids", kNextExamples, run_next);
  add_number(
      command, "-n,--count", 1, 1'000'000'000'000, [&into = options.count](std::uint64_t count) { into = count; },
      "How many")
      ->default_str("1");
  command.add_option("--kind", options.kind, "Kind of the ids")
      ->type_name("KIND")
      ->check(one_of(kinds_without_store()))
      ->capture_default_str();
  command
      .add_option(
          "--worker", options.worker,
          "Where the node id comes from, as in POLYFLAKE_WORKER: a number, host, host:7, ordinal, or the address of a "
          "store")
      ->type_name("WORKER");
  options.of_layout = add_layout_option(command, options.layout);
  CLI::Option* const codec = add_codec(command, options.codec, "Text form of the ids");
  command.add_flag("--json", options.json, "A line of JSON for each id, as inspect has it, with all text forms")
      ->excludes(codec)
      ->excludes("--width")
      ->excludes("--check");
  options.of_snowflakes = {codec, command.get_option("--width"), command.get_option("--check")};
}

}  // namespace polyflake::cli
