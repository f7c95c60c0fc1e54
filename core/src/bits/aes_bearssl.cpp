// By BearSSL: the processor's own instructions where it has some, else tables of no kind (bit slices), both in constant time.
#include <bearssl.h>

#include "base/wipe.hpp"
#include "bits/aes.hpp"

namespace polyflake {

struct Aes::Keys {
  br_aes_gen_cbcenc_keys schedule;  // any implementation's; its first word says whose
};

namespace {

const br_block_cbcenc_class& best() {
  if (const auto* const x86 = br_aes_x86ni_cbcenc_get_vtable()) return *x86;
  if (const auto* const power = br_aes_pwr8_cbcenc_get_vtable()) return *power;
  return br_aes_ct64_cbcenc_vtable;
}

}  // namespace

Aes::Aes(std::string_view key) : keys_(new Keys) { best().init(&keys_->schedule.vtable, key.data(), key.size()); }

Aes::~Aes() { wipe(keys_.get(), sizeof(Keys)); }

void Aes::encrypt(Block& block) const {
  Block before{};  // a chain of one block, with nothing before it
  keys_->schedule.vtable->run(&keys_->schedule.vtable, before.data(), block.data(), block.size());
}

}  // namespace polyflake
