// Private ids: numbers that go out instead of ids, and tell neither when something was made nor how much of it there is.
//
//   polyflake::Seal seal = polyflake::Seal::from_file("/run/secrets/ids", {"order"});
//   std::string text = seal.encode(id);          // 11 characters
//   std::uint64_t same = seal.decode(text);
//
// A seal is a keyed permutation of ids: every id has one sealed form, and no feasible attack is known that finds one from the
// other without the key. It is no signature: there is no telling a forged number from a real one, since every number opens to
// some number. Look the id up, as always. It is no encryption of rows either: equal ids have equal sealed forms.
// docs/private-ids.md
//
// This is the library polyflake::seal. It stands apart, since it needs AES of somebody else, and the core needs nothing.
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
  // Up to 255 bytes, no secret: what the ids are of, such as "order". Other bytes are another permutation under the same key,
  // and so are two Unicode normal forms of one text.
  std::string tweak = {};  // NOLINT: so that `{"order"}` leaves out nothing that compilers warn of
  // 63: ids below 2^63, as generated ones are, to numbers below 2^63, which fit a BIGINT. 64: every number to every number.
  // Never changed under a key: half of the old texts would open to wrong ids, without an error.
  std::int64_t bits = 63;
  // 1 to 8 of 0-9A-Za-z, in front of each text: `<key id>_<text>`. Says which key of a SealRing a text is of. Nothing for none.
  // Upper and lower case differ, whatever the codec.
  std::optional<std::string> key_id = {};  // NOLINT: the same
};

// A value: copies are cheap and share what AES made of the key, which is wiped with the last of them. What registers and the
// stack held of the key is not wiped.
// Thread safety: immutable; any thread.
// Source: NIST SP 800-38G, FF1 with AES, radix 256, 8 bytes; cycle walking for 63 bits (Black and Rogaway, "Ciphers with
// arbitrary finite domains", 2002).
class Seal {
 public:
  // key: 16, 24 or 32 random bytes. They are not kept; wiping them is up to the caller.
  // Errors: option_invalid.
  explicit Seal(std::string_view key, const SealOptions& options = {});

  // With the key in a file: 32, 48 or 64 hex digits in any case, and at most one line end. `openssl rand -hex 32` prints one.
  // Errors: option_invalid (options; a file that is missing, no plain file, or may be read by everybody or written by others
  // than its owner); text_invalid with the position in the file. What the file has is in no message. Blocking: file I/O.
  static Seal from_file(const std::string& path, const SealOptions& options = {});

  // The sealed form of an id, a number of `bits` bits, and the id of a sealed form.
  // Errors: id_out_of_range (2^63 or more where bits are 63).
  std::uint64_t seal(std::uint64_t id) const;
  std::uint64_t unseal(std::uint64_t sealed) const;

  // The sealed form as text of this codec at its full width (base62: 11 characters), behind the key id if there is one.
  // Errors: as seal(); option_invalid (unknown codec).
  std::string encode(std::uint64_t id, std::string_view codec = "base62") const;

  // The id of such a text.
  // Errors: option_invalid (unknown codec); each with the position of the character at fault: text_invalid (also of a text with
  // another key id), id_out_of_range (2^64 or more; 2^63 or more where bits are 63).
  std::uint64_t decode(std::string_view text, std::string_view codec = "base62") const;

  const std::string& tweak() const;
  int bits() const;
  const std::optional<std::string>& key_id() const;

 private:
  friend class SealRing;

  std::uint64_t decode_at(std::size_t begin, std::string_view text, std::string_view codec) const;

  std::shared_ptr<const detail::SealState> state_;
};

// Seals of one tweak that were current one after the other: the first one seals, all of them open. For changing keys. An id has
// as many texts that are taken as there are seals: compare opened ids, not texts.
// Thread safety: immutable; any thread.
class SealRing {
 public:
  // Errors: option_invalid (no seal; two with the same key id, or without one; different tweaks, each of which would open the
  // ids of another kind).
  explicit SealRing(std::vector<Seal> seals);

  // By the first seal. Errors: id_out_of_range.
  std::uint64_t seal(std::uint64_t id) const;
  // The same as text. Errors: id_out_of_range; option_invalid (unknown codec).
  std::string encode(std::uint64_t id, std::string_view codec = "base62") const;

  // By the seal with this key id, nothing for the one without; a number does not say by which.
  // Errors: option_invalid (no such seal), id_out_of_range.
  std::uint64_t unseal(std::uint64_t sealed, const std::optional<std::string>& key_id) const;

  // By the seal whose key id stands in front of the text.
  // Errors: option_invalid (unknown codec), text_invalid, id_out_of_range, as of a seal; text_invalid at position 0 (a key id of
  // no seal, or none where all seals have one).
  std::uint64_t decode(std::string_view text, std::string_view codec = "base62") const;

  // The first one is current.
  const std::vector<Seal>& seals() const { return seals_; }

 private:
  const Seal* find(const std::optional<std::string>& key_id) const;
  std::string known() const;

  std::vector<Seal> seals_;
};

}  // namespace polyflake
