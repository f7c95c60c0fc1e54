// polyflake key: makes a key file for private ids.
#include <polyflake/error.hpp>

#include <cstddef>

#include "description.hpp"
#include "json.hpp"
#include "program.hpp"
#include "system.hpp"
#include "usage.hpp"

namespace polyflake::cli {
namespace {

constexpr const char* kKeyExamples =
    "  polyflake key /etc/orders/ids.key\n"
    "  polyflake key --bits 128 ids.key\n";

struct KeyOptions {
  std::string file;
  std::string bits = "256";
  bool json = false;
};

Outcome run_key(Program& program, const KeyOptions& options) {
  const std::size_t bytes = options.bits == "128" ? 16 : 32;
  switch (system::make_key_file(options.file, bytes)) {
    case system::Made::yes: break;
    case system::Made::exists:
      throw Error(ErrorCode::option_invalid, "file " + polyflake::quoted_path(options.file) +
                                                 " exists, and is left as it is: without its key, what it has sealed "
                                                 "could not be read any more");
    case system::Made::no:
      throw Error(ErrorCode::option_invalid,
                  "file " + polyflake::quoted_path(options.file) + " cannot be made: " + system::last_failure());
  }
  if (options.json) {
    JsonObject json(program.out.buffer());
    json.said("file", options.file);
    json.text("bits", options.bits);
    json.end_line();
    return kWell;
  }
  const Style style = program.style();
  program.out.write(labelled("file", style) + one_line(options.file) + "\n");
  program.out.write(labelled("bits", style) + options.bits + "\n");
  return kWell;
}

}  // namespace

void add_key(CLI::App& app, Program& program) {
  const auto [command, options] =
      add_command(app, program, "key", "Make a file with a new key, for seal and unseal", kKeyExamples, run_key);
  command.add_option("FILE", options.file, "The file; one that exists is refused")->type_name("")->required();
  command.add_option("--bits", options.bits, "Length of the key")
      ->type_name("BITS")
      ->check(one_of({"128", "256"}))
      ->capture_default_str();
  add_json(command, options.json, "the file");
}

}  // namespace polyflake::cli
