// Private ids: numbers shown instead of ids. They reveal neither the time nor the number of things
// made.
//
//   polyflake::Seal seal = polyflake::Seal::from_file("/run/secrets/ids", {"order"});
//   std::string text = seal.encode(id);          // 11 characters
//   std::uint64_t same = seal.decode(text);
//
// A seal is a keyed permutation of ids: every id has one sealed form, and no feasible attack is
// known that finds one from the other without the key. It is not a signature: a forged number
// cannot be told from a real one, since every number unseals to some number. Look the id up, as
// always. It is not an encryption of rows either: equal ids have equal sealed forms.
// docs/private-ids.md
//
// This is the library polyflake::seal. It is separate because it needs the AES of another library,
// and the core needs nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace polyflake {

namespace detail {
struct SealState;
}

struct SealOptions {
  // Up to 255 bytes, not a secret: the type of the ids, such as "order". Other bytes give another
  // permutation under the same key; so do two Unicode normal forms of one text.
  std::string tweak = {};  // NOLINT: so that `{"order"}` causes no warning of compilers
  // 63: maps ids below 2^63, as generators issue them, to numbers below 2^63, which fit a BIGINT.
  // 64: permutes all 64-bit numbers. Never change it for a key in use: half of the existing texts
  // would decode to wrong ids, without an error.
  std::int64_t bits = 63;
  // 1 to 8 of 0-9A-Za-z, in front of each text: `<key id>_<text>`. Tells a SealRing which key the
  // text needs. nullopt: no key id. Letter case matters, with every codec.
  std::optional<std::string> key_id = {};  // NOLINT: the same
};

// A value: copies are cheap and share the AES state of the key, which is wiped with the last copy.
// Parts of the key in registers and on the stack are not wiped.
// Thread safety: immutable; any thread.
// Source: NIST SP 800-38G, FF1 with AES, radix 256, 8 bytes; cycle walking for 63 bits (Black and
// Rogaway, "Ciphers with arbitrary finite domains", 2002).
class Seal {
 public:
  // key: 16, 24 or 32 random bytes. They are not kept; the caller wipes them.
  // Errors: option_invalid, also for bytes that are all equal or all hex digits: such bytes are not
  // a key but, for example, its text.
  explicit Seal(std::string_view key, const SealOptions& options = {});

  // Reads the key from a file: 32, 48 or 64 hex digits in any case, and at most one line end.
  // `openssl rand -hex 32` prints one.
  // Errors: option_invalid (options; a file that is missing, is not a regular file, is readable by
  // everyone, or writable by anyone but its owner; a key of equal bytes); text_invalid with the
  // position in the file. No message shows the content of the file. Blocks: file I/O.
  static Seal from_file(const std::string& path, const SealOptions& options = {});

  // Returns the sealed form of an id, a number of `bits` bits, or the id of a sealed form.
  // Errors: id_out_of_range (2^63 or more if bits are 63).
  std::uint64_t seal(std::uint64_t id) const;
  std::uint64_t unseal(std::uint64_t sealed) const;

  // Returns the sealed form as text of this codec at its full width (base62: 11 characters), after
  // the key id if there is one. Errors: as seal(); option_invalid (unknown codec).
  std::string encode(std::uint64_t id, std::string_view codec = "base62") const;

  // Returns the id of such a text. Errors: option_invalid (unknown codec); each with the position
  // of the wrong character: text_invalid (also for another key id), id_out_of_range (2^64 or more;
  // 2^63 or more if bits are 63).
  std::uint64_t decode(std::string_view text, std::string_view codec = "base62") const;

  const std::string& tweak() const;
  int bits() const;
  const std::optional<std::string>& key_id() const;

 private:
  friend class SealRing;

  std::uint64_t decode_at(std::size_t begin, std::string_view text, std::string_view codec) const;

  std::shared_ptr<const detail::SealState> state_;
};

// Seals with one tweak, for the rotation of keys: the first one seals, any of them unseals. One id
// has as many valid texts as there are seals: compare opened ids, not texts.
// Thread safety: immutable; any thread.
class SealRing {
 public:
  // Errors: option_invalid (no seal; two with the same key id or without one; different tweaks,
  // each of which would open the ids of another type).
  explicit SealRing(std::vector<Seal> seals);

  // Returns the sealed form by the first seal. Errors: id_out_of_range.
  std::uint64_t seal(std::uint64_t id) const;
  // Returns the same as text. Errors: id_out_of_range; option_invalid (unknown codec).
  std::string encode(std::uint64_t id, std::string_view codec = "base62") const;

  // Unseals with the seal that has this key id; nullopt means the seal that has none. Unlike a
  // text, a number does not tell which seal made it. Errors: option_invalid (no such seal),
  // id_out_of_range.
  std::uint64_t unseal(std::uint64_t sealed, const std::optional<std::string>& key_id) const;

  // Returns the id by the seal whose key id begins the text.
  // Errors: option_invalid (unknown codec), text_invalid, id_out_of_range, as of a seal;
  // text_invalid at position 0 (no seal has the text's key id, or the text has none and every seal
  // has one).
  std::uint64_t decode(std::string_view text, std::string_view codec = "base62") const;

  // Returns all seals; the first one is current.
  const std::vector<Seal>& seals() const { return seals_; }

 private:
  const Seal* find(const std::optional<std::string>& key_id) const;

  std::vector<Seal> seals_;
};

}  // namespace polyflake
