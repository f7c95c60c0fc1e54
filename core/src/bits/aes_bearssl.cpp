// AES by BearSSL: the processor's own instructions if it has them, else bit slices without tables.
// Both run in constant time.
#include <bearssl.h>

#include <polyflake/detail/big_endian.hpp>

#include <atomic>
#include <cstring>

#include "base/wipe.hpp"
#include "bits/aes.hpp"

namespace polyflake {

struct Aes::Keys {
  br_aes_gen_cbcenc_keys schedule;  // of any implementation; its first word says which
};

namespace {

const br_block_cbcenc_class& best() {
  if (const auto* const x86 = br_aes_x86ni_cbcenc_get_vtable()) return *x86;
  if (const auto* const power = br_aes_pwr8_cbcenc_get_vtable()) return *power;
  return br_aes_ct64_cbcenc_vtable;
}

const br_block_ctr_class* find_best_stream() {
  if (const auto* const x86 = br_aes_x86ni_ctr_get_vtable()) return x86;
  if (const auto* const power = br_aes_pwr8_ctr_get_vtable()) return power;
  return &br_aes_ct64_ctr_vtable;
}

std::atomic<const br_block_ctr_class*> g_best_stream{nullptr};

// Remembered: under a hypervisor, asking the processor takes as long as some KiB of the stream.
const br_block_ctr_class& best_stream() {
  const br_block_ctr_class* known = g_best_stream.load(std::memory_order_relaxed);
  if (known == nullptr) g_best_stream.store(known = find_best_stream(), std::memory_order_relaxed);
  return *known;
}

}  // namespace

Aes::Aes(std::string_view key) : keys_(new Keys) { best().init(&keys_->schedule.vtable, key.data(), key.size()); }

Aes::~Aes() { wipe(keys_.get(), sizeof(Keys)); }

void Aes::encrypt(Block& block) const {
  Block before{};  // a chain of one block, with nothing before it
  keys_->schedule.vtable->run(&keys_->schedule.vtable, before.data(), block.data(), block.size());
}

void aes_256_ctr(const std::uint8_t* key, const std::uint8_t* counter, std::uint8_t* stream, std::size_t n) {
  constexpr std::size_t kKey = 32, kNonce = 12;
  br_aes_gen_ctr_keys schedule;
  best_stream().init(&schedule.vtable, key, kKey);
  // The counter is the low half.
  const auto first = static_cast<std::uint32_t>(load_big_endian(counter + kNonce - 4));
  std::memset(stream, 0, n);
  schedule.vtable->run(&schedule.vtable, counter, first, stream, n);
  wipe(&schedule, sizeof schedule);
}

}  // namespace polyflake
