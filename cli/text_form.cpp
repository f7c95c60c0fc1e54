#include "text_form.hpp"

#include <polyflake/hashids.hpp>
#include <polyflake/sqids.hpp>

#include <memory>

#include "program.hpp"

namespace polyflake::cli {
namespace {

constexpr std::uint64_t kLongestText = 1024;

template <class Lists>
ListForm form_of(const std::shared_ptr<const Lists>& lists) {
  return {[lists](std::uint64_t id) { return lists->encode(id); },
          [lists](std::string_view text) { return lists->decode(text); }};
}

}  // namespace

void add_form(CLI::App& command, FormChoice& choice, const std::string& description) {
  add_codec(command, choice.codec, description)->default_str("")->type_name("FORM")->required();
  command.add_option("--alphabet", choice.alphabet, "Characters of the texts (sqids, hashids)")->type_name("TEXT");
  add_number(
      command, "--min-length", 0, kLongestText,
      [&choice](std::uint64_t length) { choice.min_length = static_cast<std::int64_t>(length); },
      "Characters of a text at least (sqids, hashids)");
  command.add_option("--salt", choice.salt, "Salt of the texts, no secret (hashids)")->type_name("TEXT");
}

Codec codec_of(const FormChoice& choice) {
  if (choice.alphabet || choice.min_length || choice.salt)
    throw UsageError("--alphabet, --min-length and --salt are for sqids and hashids");
  return choice.codec.codec();
}

ListForm list_form_of(const FormChoice& choice) {
  if (choice.codec.width || choice.codec.check)
    throw UsageError("--width and --check are for codecs, not for " + choice.codec.name);
  const std::int64_t min_length = choice.min_length.value_or(0);
  if (choice.codec.name == "hashids") {
    const std::string alphabet = choice.alphabet.value_or(std::string(Hashids::kAlphabet));
    return form_of(std::make_shared<const Hashids>(choice.salt.value_or(""), min_length, alphabet));
  }
  if (choice.salt) throw UsageError("--salt is for hashids, not for sqids");
  SqidsOptions options;
  if (choice.alphabet) options.alphabet = *choice.alphabet;
  options.min_length = min_length;
  return form_of(std::make_shared<const Sqids>(options));
}

}  // namespace polyflake::cli
