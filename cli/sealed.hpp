// Ids, --key-file, --tweak, --bits, --key-id and --codec: ids, the seal for them and its text form.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include <polyflake/codec.hpp>
#include <polyflake/seal.hpp>

#include "ids.hpp"
#include "numbers.hpp"
#include "program.hpp"
#include "system.hpp"

namespace polyflake::cli {

struct Sealed {
  IdOptions ids;
  std::vector<std::string> key_files;
  std::string tweak;
  std::int64_t bits = 63;
  std::vector<std::string> key_ids;  // of the files, in their order
  std::string codec = "base62";

  // Returns the seals, the first of which seals. Blocks: file I/O. Errors: as Seal::from_file() and
  // SealRing; option_invalid (unknown codec, even if no text follows); UsageError if a key would
  // also be read as ids, or if it is not clear which key id is of which file.
  SealRing ring() const {
    if (key_files.size() != key_ids.size() && (key_files.size() > 1 || key_ids.size() > 1))
      throw UsageError("with several keys, give a --key-id for each --key-file, in the same order");
    Codec::named(codec);
    std::vector<Seal> seals;
    for (std::size_t i = 0; i < key_files.size(); ++i) {
      if (ids.texts.empty() && system::is_standard_input(key_files[i]))
        throw UsageError("standard input cannot be both --key-file and what is to be read with it");
      SealOptions options{tweak, bits, std::nullopt};
      if (!key_ids.empty()) options.key_id = key_ids[i];
      seals.push_back(Seal::from_file(key_files[i], options));
    }
    return SealRing(std::move(seals));
  }
};

// what: as of add_ids().
inline void add_sealed(CLI::App& command, Sealed& sealed, const std::string& what) {
  add_ids(command, sealed.ids, what);
  command.add_option("--key-file", sealed.key_files, "File of a key: 32, 48 or 64 hex digits; the first one seals")
      ->type_name("FILE")
      ->allow_extra_args(false)
      ->required();
  command.add_option("--tweak", sealed.tweak, "What the ids are of, such as order; no secret")->type_name("TEXT");
  add_number(
      command, "--bits", 63, 64, [&sealed](std::uint64_t bits) { sealed.bits = static_cast<std::int64_t>(bits); },
      "63, or 64 for ids of 2^63 and more")
      ->default_str("63");
  command.add_option("--key-id", sealed.key_ids, "Of the key, in front of each text; for several keys, each in turn")
      ->type_name("TEXT")
      ->allow_extra_args(false);
  command.add_option("--codec", sealed.codec, "Text form of what is sealed")->type_name("CODEC")->capture_default_str();
}

}  // namespace polyflake::cli
