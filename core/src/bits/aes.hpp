// AES: what seals (of one block) and random bits (a stream) need of a library of somebody else's. Each source that has it stands for one library.
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
  ~Aes();  // wipes what the key became
  Aes(const Aes&) = delete;
  Aes& operator=(const Aes&) = delete;

  // Replaces the block by its cipher text, in a time that depends on neither. Thread safety: any thread.
  void encrypt(Block& block) const;

 private:
  struct Keys;

  const std::unique_ptr<Keys> keys_;
};

// The key stream of AES-256 in counter mode. key: 32 bytes, counter: 16, of which the last four count, big endian (as in NIST
// SP 800-38A, B.1). n: a multiple of 16. What the key became is wiped.
void aes_256_ctr(const std::uint8_t* key, const std::uint8_t* counter, std::uint8_t* stream, std::size_t n);

}  // namespace polyflake
