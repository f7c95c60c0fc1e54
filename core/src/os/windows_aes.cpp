// By the system itself, CNG: it uses the processor's own instructions where there are some.
#include "os/windows_system.hpp"

#include <bcrypt.h>

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

}  // namespace

struct Aes::Keys {
  Keys() {
    check(::BCryptOpenAlgorithmProvider(&algorithm, BCRYPT_AES_ALGORITHM, nullptr, 0), "BCryptOpenAlgorithmProvider");
  }
  ~Keys() {
    if (key != nullptr) ::BCryptDestroyKey(key);  // wipes it
    ::BCryptCloseAlgorithmProvider(algorithm, 0);
  }
  Keys(const Keys&) = delete;
  Keys& operator=(const Keys&) = delete;

  BCRYPT_ALG_HANDLE algorithm = nullptr;
  BCRYPT_KEY_HANDLE key = nullptr;
};

Aes::Aes(std::string_view key) : keys_(new Keys) {
  // Single blocks: no call changes what the key has, so threads may share it.
  check(::BCryptSetProperty(keys_->algorithm, BCRYPT_CHAINING_MODE, given(word(BCRYPT_CHAIN_MODE_ECB)),
                            sizeof(BCRYPT_CHAIN_MODE_ECB), 0),
        "BCryptSetProperty");
  check(::BCryptGenerateSymmetricKey(keys_->algorithm, &keys_->key, nullptr, 0, given(key.data()),
                                     static_cast<ULONG>(key.size()), 0),
        "BCryptGenerateSymmetricKey");
}

Aes::~Aes() = default;

void Aes::encrypt(Block& block) const {
  ULONG written = 0;
  const auto size = static_cast<ULONG>(block.size());
  check(::BCryptEncrypt(keys_->key, block.data(), size, nullptr, nullptr, 0, block.data(), size, &written, 0),
        "BCryptEncrypt");
}

}  // namespace polyflake
