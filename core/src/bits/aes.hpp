// AES from a library: single blocks for seals, a key stream for random bits. Each source file that
// defines these functions serves one library.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace polyflake {

class Aes {
 public:
  using Block = std::array<std::uint8_t, 16>;

  // key: 16, 24 or 32 bytes.
  explicit Aes(std::string_view key);
  ~Aes();  // wipes the expanded key
  Aes(const Aes&) = delete;
  Aes& operator=(const Aes&) = delete;

  // Encrypts the block in place, in a time that depends on neither block nor key. Thread safety:
  // any thread.
  void encrypt(Block& block) const;

 private:
  struct Keys;

  const std::unique_ptr<Keys> keys_;
};

// Writes n bytes of the key stream of AES-256 in counter mode. key: 32 bytes. counter: 16 bytes, of
// which the last four count, big endian. n: a multiple of 16. Wipes the expanded key.
// Source: NIST SP 800-38A, B.1.
void aes_256_ctr(const std::uint8_t* key, const std::uint8_t* counter, std::uint8_t* stream, std::size_t n);

}  // namespace polyflake
