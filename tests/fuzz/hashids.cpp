// Texts of Hashids: what is read prints back to the same text. The first byte chooses the options, and how much of the input is
// the salt.
#include <polyflake/hashids.hpp>

#include <optional>
#include <string>
#include <vector>

#include "property.hpp"

namespace polyflake::fuzz {
namespace {

void run(unsigned char choice, std::string_view input) {
  constexpr std::string_view kAlphabets[] = {Hashids::kAlphabet, "cCsSfFhHuUiItT01", "0123456789abcdef"};
  const std::size_t salt = std::min<std::size_t>(choice / 12, input.size());
  std::optional<Hashids> hashids;
  const bool made =
      accepts([&] { hashids.emplace(input.substr(0, salt), choice / 3 % 4 * 10, kAlphabets[choice % 3]); },
              {ErrorCode::option_invalid});
  if (!made) return;
  const std::string_view text = input.substr(salt);
  std::vector<std::uint64_t> ids;
  if (reads(text, [&] { ids = hashids->decode(text); }))
    hold(hashids->encode(ids) == text, "ids print back to their text");
}

}  // namespace
}  // namespace polyflake::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 0) polyflake::fuzz::run(data[0], polyflake::fuzz::text_of(data + 1, size - 1));
  return 0;
}
