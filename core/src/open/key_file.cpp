#include <polyflake/error.hpp>
#include <polyflake/seal.hpp>

#include <array>

#include "base/wipe.hpp"
#include "bits/key_text.hpp"
#include "os/private_file.hpp"

namespace polyflake {
namespace {

struct KeyText {
  ~KeyText() { wipe(bytes.data(), bytes.size()); }

  std::array<char, Key::kLongestText + 1> bytes;  // one more byte than any valid text
  std::size_t size = 0;
};

}  // namespace

Seal Seal::from_file(const std::string& path, const SealOptions& options) {
  KeyText text;
  text.size = platform::read_private_file(path, text.bytes.data(), text.bytes.size());
  try {
    const Key key({text.bytes.data(), text.size});
    return Seal(key.bytes(), options);
  } catch (const Error& error) {
    if (!error.position()) throw;
    throw Error(error.code(), "file " + quoted_path(path) + ": " + error.what(), *error.position());
  }
}

}  // namespace polyflake
