// AES by the system, CNG: it uses the processor's own instructions if there are any.
#include "os/windows_system.hpp"

#include <bcrypt.h>

#include <polyflake/detail/big_endian.hpp>

#include <cstring>
#include <stdexcept>

#include "bits/aes.hpp"

namespace polyflake {
namespace {

void check(NTSTATUS status, const char* what) {
  if (status == 0) return;
  throw std::runtime_error(std::string("Windows has no AES: ") + what + " gave " +
                           std::to_string(static_cast<std::uint32_t>(status)));
}

wchar_t* word(const wchar_t* text) { return const_cast<wchar_t*>(text); }

unsigned char* given(const void* bytes) { return static_cast<unsigned char*>(const_cast<void*>(bytes)); }

// Single blocks (ECB): no call changes the key's state, so threads may share it.
class BlockCipher {
 public:
  explicit BlockCipher(std::string_view key) {
    try {
      check(::BCryptOpenAlgorithmProvider(&algorithm_, BCRYPT_AES_ALGORITHM, nullptr, 0),
            "BCryptOpenAlgorithmProvider");
      check(::BCryptSetProperty(algorithm_, BCRYPT_CHAINING_MODE, given(word(BCRYPT_CHAIN_MODE_ECB)),
                                sizeof(BCRYPT_CHAIN_MODE_ECB), 0),
            "BCryptSetProperty");
      check(::BCryptGenerateSymmetricKey(algorithm_, &key_, nullptr, 0, given(key.data()),
                                         static_cast<ULONG>(key.size()), 0),
            "BCryptGenerateSymmetricKey");
    } catch (...) {
      close();
      throw;
    }
  }
  ~BlockCipher() { close(); }
  BlockCipher(const BlockCipher&) = delete;
  BlockCipher& operator=(const BlockCipher&) = delete;

  // n: a multiple of 16.
  void encrypt(std::uint8_t* blocks, std::size_t n) const {
    ULONG written = 0;
    const auto size = static_cast<ULONG>(n);
    check(::BCryptEncrypt(key_, blocks, size, nullptr, nullptr, 0, blocks, size, &written, 0), "BCryptEncrypt");
  }

 private:
  void close() noexcept {
    if (key_ != nullptr) ::BCryptDestroyKey(key_);  // wipes it
    if (algorithm_ != nullptr) ::BCryptCloseAlgorithmProvider(algorithm_, 0);
  }

  BCRYPT_ALG_HANDLE algorithm_ = nullptr;
  BCRYPT_KEY_HANDLE key_ = nullptr;
};

}  // namespace

struct Aes::Keys {
  explicit Keys(std::string_view key) : cipher(key) {}
  BlockCipher cipher;
};

Aes::Aes(std::string_view key) : keys_(new Keys(key)) {}

Aes::~Aes() = default;

void Aes::encrypt(Block& block) const { keys_->cipher.encrypt(block.data(), block.size()); }

void aes_256_ctr(const std::uint8_t* key, const std::uint8_t* counter, std::uint8_t* stream, std::size_t n) {
  constexpr std::size_t kKey = 32, kBlock = 16, kNonce = 12;
  const BlockCipher cipher({reinterpret_cast<const char*>(key), kKey});
  auto number = static_cast<std::uint32_t>(load_big_endian(counter + kNonce - 4));  // its low half
  for (std::size_t i = 0; i < n; i += kBlock, ++number) {
    std::memcpy(stream + i, counter, kNonce);
    for (unsigned byte = 0; byte < 4; ++byte)
      stream[i + kNonce + byte] = static_cast<std::uint8_t>(number >> (24 - 8 * byte));
  }
  cipher.encrypt(stream, n);
}

}  // namespace polyflake
