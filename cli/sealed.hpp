// --key-file, --tweak, --bits, --key-id and --codec: what seals ids, and in which text they go out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include <polyflake/codec.hpp>
#include <polyflake/seal.hpp>

#include "ids.hpp"
#include "numbers.hpp"
#include "program.hpp"
#include "system.hpp"

namespace polyflake::cli {

struct Sealed {
  std::string key_file;
  std::string tweak;
  std::int64_t bits = 63;
  std::optional<std::string> key_id;
  std::string codec = "base62";

  // Errors: as Seal::from_file(); option_invalid (unknown codec, also where no text follows); UsageError where the key would be read again, as ids. Blocks: file I/O.
  Seal seal(const IdOptions& ids) const {
    if (ids.texts.empty() && system::is_standard_input(key_file))
      throw UsageError("standard input cannot be both --key-file and what is to be read with it");
    Codec::named(codec);
    return Seal::from_file(key_file, {tweak, bits, key_id});
  }
};

inline void add_sealed(CLI::App& command, Sealed& sealed) {
  command.add_option("--key-file", sealed.key_file, "File of the key: 32, 48 or 64 hex digits")
      ->type_name("FILE")
      ->required();
  command.add_option("--tweak", sealed.tweak, "What the ids are of, such as order; no secret")->type_name("TEXT");
  add_number(
      command, "--bits", 63, 64, [&sealed](std::uint64_t bits) { sealed.bits = static_cast<std::int64_t>(bits); },
      "63, or 64 for ids of 2^63 and more")
      ->default_str("63");
  command.add_option("--key-id", sealed.key_id, "Of the key, in front of each text")->type_name("TEXT");
  command.add_option("--codec", sealed.codec, "Text form of what is sealed")->type_name("CODEC")->capture_default_str();
}

}  // namespace polyflake::cli
