// --codec, --width and --check: the text form of ids.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

#include <polyflake/codec.hpp>

#include "json.hpp"
#include "numbers.hpp"
#include "output.hpp"

namespace polyflake::cli {

struct CodecChoice {
  std::string name = "decimal";
  std::optional<std::int64_t> width;
  bool check = false;

  Codec codec() const { return Codec::named(name, {width, check}); }  // Errors: option_invalid
};

// Appends a line of JSON. text: of this codec.
inline void append_json(Output& out, std::string_view id, std::string_view codec, std::string_view text) {
  JsonObject json(out.buffer());
  json.text("id", id);
  json.text("codec", codec);
  json.said("text", text);
  json.end_line();
  out.made();
}

// Returns the option --codec.
inline CLI::Option* add_codec(CLI::App& command, CodecChoice& choice, const std::string& description) {
  add_number(
      command, "--width", 0, Codec::kLongest, [&choice](std::uint64_t width) { choice.width = width; },
      "Characters of a text; 0 for as few as the id needs");
  command.add_flag("--check", choice.check, "With a check symbol (crockford32)");
  return command.add_option("--codec", choice.name, description)->type_name("CODEC")->capture_default_str();
}

}  // namespace polyflake::cli
