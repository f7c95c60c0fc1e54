// --codec of encode and decode: a codec, or sqids or hashids with their options.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "codec_choice.hpp"

namespace polyflake::cli {

struct FormChoice {
  CodecChoice codec;
  std::optional<std::string> alphabet;
  std::optional<std::string> salt;
  std::optional<std::int64_t> min_length;

  bool is_codec() const { return codec.name != "sqids" && codec.name != "hashids"; }
};

// Texts of sqids or hashids.
struct ListForm {
  std::function<std::string(std::uint64_t id)> encode;
  // A text of theirs may have several ids.
  std::function<std::vector<std::uint64_t>(std::string_view text)> decode;
};

void add_form(CLI::App& command, FormChoice& choice, const std::string& description);

// Return the codec, or the form of the lists if is_codec() is false. Errors: option_invalid;
// UsageError if an option of the others is given.
Codec codec_of(const FormChoice& choice);
ListForm list_form_of(const FormChoice& choice);

}  // namespace polyflake::cli
