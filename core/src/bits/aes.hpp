// AES of one block: what the seal needs of a library of somebody else's. Each source that has it stands for one library.
#pragma once

#include <array>
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

}  // namespace polyflake
