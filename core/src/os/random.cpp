#include "os/random.hpp"

#include <polyflake/error.hpp>
#include <polyflake/text.hpp>

#include "os/os.hpp"

namespace polyflake::platform {

void refuse_without_random_bytes() {
  throw Error(ErrorCode::registry_unusable, "the operating system gave no random bytes");
}

std::string random_hex_128() {
  std::uint64_t words[2];
  random_bytes(words, sizeof words);
  return to_text(words[0], "hex") + to_text(words[1], "hex");
}

}  // namespace polyflake::platform
