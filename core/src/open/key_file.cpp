#include <polyflake/error.hpp>
#include <polyflake/seal.hpp>

#include <algorithm>
#include <array>

#include "base/wipe.hpp"
#include "bits/key_text.hpp"
#include "os/private_file.hpp"

namespace polyflake {
namespace {

struct KeyText {
  ~KeyText() { wipe(bytes.data(), bytes.size()); }

  std::array<char, Key::kLongestText + 1> bytes;  // one more than can be right
  std::size_t size = 0;
};

bool is_printable(char c) { return c >= ' ' && c <= '~'; }
bool is_hex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

// Of what is no file: whether it could be a key, as text or as bytes.
bool may_be_a_key(const std::string& path) {
  const std::size_t size = path.size();
  if (size == 64 || size == 48) return std::all_of(path.begin(), path.end(), is_hex);
  if (size != 32 && size != 24 && size != 16) return false;
  return !std::all_of(path.begin(), path.end(), is_printable) ||
         (size == 32 && std::all_of(path.begin(), path.end(), is_hex));
}

// No secret is repeated in a message, which may be logged.
void read(const std::string& path, KeyText& text) {
  try {
    text.size = platform::read_private_file(path, text.bytes.data(), text.bytes.size());
  } catch (const Error&) {
    if (!may_be_a_key(path)) throw;
    throw Error(ErrorCode::option_invalid,
                "what was given is no file, and looks like a key: the path of its file is due");
  }
}

}  // namespace

Seal Seal::from_file(const std::string& path, const SealOptions& options) {
  KeyText text;
  read(path, text);
  try {
    const Key key({text.bytes.data(), text.size});
    return Seal(key.bytes(), options);
  } catch (const Error& error) {
    if (!error.position()) throw;
    throw Error(error.code(), "file " + quoted(path) + ": " + error.what(), *error.position());
  }
}

}  // namespace polyflake
