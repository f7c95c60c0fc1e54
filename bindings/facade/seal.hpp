// Private ids: seals, and rings of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <polyflake/seal.hpp>

namespace polyflake::facade {

// Bytes that may be a key: wiped on destruction.
class Bytes {
 public:
#if !defined(SWIG)
  Bytes() = default;
  Bytes(const void* bytes, std::size_t size);
  ~Bytes();
  Bytes(const Bytes&) = delete;
  Bytes& operator=(const Bytes&) = delete;

  // Returns memory of this size, for the caller to write; drops the former content.
  unsigned char* make(std::size_t size);
  std::string_view view() const;
#endif

 private:
  std::vector<unsigned char> bytes_;
};

// Contracts as in polyflake/seal.hpp; texts are those of a codec at its full width.
class Seal {
 public:
  // key_id: SealOptions::key_id if has_key_id, else ignored.
  // Errors: option_invalid.
  Seal(const Bytes& key, const Bytes& tweak, std::int64_t bits, bool has_key_id, const std::string& key_id);
  // path: in the system's encoding, on Windows UTF-8. Blocks: file I/O. Errors: option_invalid,
  // text_invalid.
  static Seal from_file(const Bytes& path, const Bytes& tweak, std::int64_t bits, bool has_key_id,
                        const std::string& key_id);

  // Errors: id_out_of_range.
  std::uint64_t seal(std::uint64_t id) const;
  std::uint64_t unseal(std::uint64_t sealed) const;
  // Errors: option_invalid (unknown codec), id_out_of_range; for texts text_invalid.
  std::string encode(std::uint64_t id, const std::string& codec) const;
  std::uint64_t decode(const std::string& text, const std::string& codec) const;
  // Return all of them, in their order. Errors: as for one; the message has the index of the first
  // refused one.
  std::vector<std::string> encode_many(const std::vector<std::uint64_t>& ids, const std::string& codec) const;
  std::vector<std::uint64_t> decode_many(const std::vector<std::string>& texts, const std::string& codec) const;

  int bits() const;
  bool has_key_id() const;
  std::string key_id() const;  // "" without one

#if !defined(SWIG)
  const polyflake::Seal& core() const { return seal_; }
#endif

 private:
  explicit Seal(polyflake::Seal seal) : seal_(std::move(seal)) {}

  polyflake::Seal seal_;
};

// The seals of a ring: add the current one first.
class Seals {
 public:
  Seals() = default;
  void add(const Seal& seal);

#if !defined(SWIG)
  const std::vector<polyflake::Seal>& core() const { return seals_; }
#endif

 private:
  std::vector<polyflake::Seal> seals_;
};

class SealRing {
 public:
  // Errors: option_invalid.
  explicit SealRing(const Seals& seals);

  // Errors: as for Seal; option_invalid (no seal with this key id), text_invalid (a text with such
  // a key id).
  std::uint64_t seal(std::uint64_t id) const;
  std::uint64_t unseal(std::uint64_t sealed, bool has_key_id, const std::string& key_id) const;
  std::string encode(std::uint64_t id, const std::string& codec) const;
  std::uint64_t decode(const std::string& text, const std::string& codec) const;
  std::vector<std::string> encode_many(const std::vector<std::uint64_t>& ids, const std::string& codec) const;
  std::vector<std::uint64_t> decode_many(const std::vector<std::string>& texts, const std::string& codec) const;

 private:
  polyflake::SealRing ring_;
};

}  // namespace polyflake::facade
