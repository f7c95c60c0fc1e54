// Ids as text. The first byte chooses the codec, the second its width and check symbol.
#include <polyflake/text.hpp>

#include <optional>

#include "property.hpp"

namespace polyflake::fuzz {
namespace {

// Crockford's is the one codec with several spellings of an id.
bool is_canonical(const Codec& codec, std::string_view text) {
  return codec.name() != std::string("crockford32") || std::all_of(text.begin(), text.end(), [](char c) {
           return !(c >= 'a' && c <= 'z') && c != 'I' && c != 'L' && c != 'O';
         });
}

void hold_for(const Codec& codec, std::string_view text) {
  std::uint64_t id = 0;
  if (!reads(text, [&] { id = codec.decode(text); })) return;
  const std::string printed = codec.encode(id);
  hold(codec.decode(printed) == id, "an id is read back");
  hold(!is_canonical(codec, text) || printed == text, "an id prints back to its text");
  hold(from_text(to_text(id, "base58"), "base58") == from_text(to_text(id)), "codecs agree");
  char written[kLongestDecimal];
  hold(std::string(written, write_decimal(id, written)) == to_text(id, "decimal"),
       "both ways to print a decimal agree");
}

void run(std::string_view input) {
  if (input.size() < 2) return;
  const std::vector<std::string> names = codec_names();
  const std::string& name = names[static_cast<unsigned char>(input[0]) % names.size()];
  const auto choice = static_cast<unsigned char>(input[1]);
  CodecOptions options;
  options.check = choice % 2 == 1;
  if (choice >= 2) options.width = choice / 2 - 1;
  std::optional<Codec> codec;
  if (!accepts([&] { codec.emplace(Codec::named(name, options)); }, {ErrorCode::option_invalid})) return;
  hold_for(*codec, input.substr(2));
}

}  // namespace
}  // namespace polyflake::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  polyflake::fuzz::run(polyflake::fuzz::text_of(data, size));
  return 0;
}
