// Sealed text, and keys in text. The first byte chooses what is read: a key, or a text of a codec by a seal or a ring.
#include <polyflake/codec.hpp>
#include <polyflake/seal.hpp>

#include "bits/key_text.hpp"
#include "property.hpp"

namespace polyflake::fuzz {
namespace {

const Seal kPlain("0123456789abcdeg", {"order", 63, {}});
const Seal kNamed("0123456789abcdef0123456z", {"order", 64, "k1"});
const SealRing kRing({kNamed, kPlain, Seal("fedcba987654321z", {"order", 63, "2"})});

void hold_for_key(std::string_view text) {
  const bool good = reads(text, [&] {
    const Key key(text);
    const std::size_t size = key.bytes().size();
    hold(size == 16 || size == 24 || size == 32, "a key has one of three sizes");
    hold(text.size() - 2 * size <= 2, "a key is all of its text but a line end");
    const std::string_view bytes = key.bytes();
    const bool is_random = bytes.find_first_not_of(bytes.front()) != std::string_view::npos &&
                           bytes.find_first_not_of("0123456789abcdefABCDEF") != std::string_view::npos;
    hold(!is_random || Seal(bytes).unseal(Seal(bytes).seal(7)) == 7, "a key that is read seals");
  });
  hold(good || text.size() != 64 || text.find_first_not_of("0123456789abcdefABCDEF") != std::string_view::npos,
       "64 hex digits are a key");
}

// What is read seals to the same number, and prints back where a codec has one spelling of an id.
template <class Sealing>
void hold_for_text(const Sealing& sealing, std::string_view text, const std::string& codec) {
  std::uint64_t id = 0;
  if (!reads(text, [&] { id = sealing.decode(text, codec); })) return;
  const std::string printed = sealing.encode(id, codec);
  hold(sealing.decode(printed, codec) == id, "an id is read back");
  hold(codec == "crockford32" || printed == text || std::is_same_v<Sealing, SealRing>, "an id prints back to its text");
}

void run(std::string_view input) {
  if (input.empty()) return;
  const std::vector<std::string> names = codec_names();
  const auto choice = static_cast<unsigned char>(input[0]);
  const std::string& codec = names[choice / 4 % names.size()];
  const std::string_view text = input.substr(1);
  if (choice % 4 == 0) hold_for_key(text);
  if (choice % 4 == 1) hold_for_text(kPlain, text, codec);
  if (choice % 4 == 2) hold_for_text(kNamed, text, codec);
  if (choice % 4 == 3) hold_for_text(kRing, text, codec);
}

}  // namespace
}  // namespace polyflake::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  polyflake::fuzz::run(polyflake::fuzz::text_of(data, size));
  return 0;
}
