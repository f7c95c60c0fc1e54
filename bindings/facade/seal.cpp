#include "facade/seal.hpp"

#include "base/wipe.hpp"
#include "facade/many.hpp"

namespace polyflake::facade {
namespace {

SealOptions options_of(const Bytes& tweak, std::int64_t bits, bool has_key_id, const std::string& key_id) {
  SealOptions options;
  options.tweak = tweak.view();
  options.bits = bits;
  if (has_key_id) options.key_id = key_id;
  return options;
}

template <typename Sealing>
std::vector<std::string> encoded(const Sealing& sealing, const std::vector<std::uint64_t>& ids,
                                 const std::string& codec) {
  return all_of<std::string>(ids, "id", [&](std::uint64_t id) { return sealing.encode(id, codec); });
}

template <typename Sealing>
std::vector<std::uint64_t> decoded(const Sealing& sealing, const std::vector<std::string>& texts,
                                   const std::string& codec) {
  return all_of<std::uint64_t>(texts, "text", [&](const std::string& text) { return sealing.decode(text, codec); });
}

}  // namespace

Bytes::Bytes(const void* bytes, std::size_t size)
    : bytes_(static_cast<const unsigned char*>(bytes), static_cast<const unsigned char*>(bytes) + size) {}

Bytes::~Bytes() { wipe(bytes_.data(), bytes_.size()); }

unsigned char* Bytes::make(std::size_t size) {
  std::vector<unsigned char> fresh(size);
  wipe(bytes_.data(), bytes_.size());
  bytes_.swap(fresh);
  return bytes_.data();
}

std::string_view Bytes::view() const { return {reinterpret_cast<const char*>(bytes_.data()), bytes_.size()}; }

Seal::Seal(const Bytes& key, const Bytes& tweak, std::int64_t bits, bool has_key_id, const std::string& key_id)
    : seal_(key.view(), options_of(tweak, bits, has_key_id, key_id)) {}

Seal Seal::from_file(const Bytes& path, const Bytes& tweak, std::int64_t bits, bool has_key_id,
                     const std::string& key_id) {
  return Seal(polyflake::Seal::from_file(std::string(path.view()), options_of(tweak, bits, has_key_id, key_id)));
}

std::uint64_t Seal::seal(std::uint64_t id) const { return seal_.seal(id); }

std::uint64_t Seal::unseal(std::uint64_t sealed) const { return seal_.unseal(sealed); }

std::string Seal::encode(std::uint64_t id, const std::string& codec) const { return seal_.encode(id, codec); }

std::uint64_t Seal::decode(const std::string& text, const std::string& codec) const {
  return seal_.decode(text, codec);
}

std::vector<std::string> Seal::encode_many(const std::vector<std::uint64_t>& ids, const std::string& codec) const {
  return encoded(seal_, ids, codec);
}

std::vector<std::uint64_t> Seal::decode_many(const std::vector<std::string>& texts, const std::string& codec) const {
  return decoded(seal_, texts, codec);
}

int Seal::bits() const { return seal_.bits(); }

bool Seal::has_key_id() const { return seal_.key_id().has_value(); }

std::string Seal::key_id() const { return seal_.key_id().value_or(""); }

void Seals::add(const Seal& seal) { seals_.push_back(seal.core()); }

SealRing::SealRing(const Seals& seals) : ring_(seals.core()) {}

std::uint64_t SealRing::seal(std::uint64_t id) const { return ring_.seal(id); }

std::uint64_t SealRing::unseal(std::uint64_t sealed, bool has_key_id, const std::string& key_id) const {
  return ring_.unseal(sealed, has_key_id ? std::optional<std::string>(key_id) : std::nullopt);
}

std::string SealRing::encode(std::uint64_t id, const std::string& codec) const { return ring_.encode(id, codec); }

std::uint64_t SealRing::decode(const std::string& text, const std::string& codec) const {
  return ring_.decode(text, codec);
}

std::vector<std::string> SealRing::encode_many(const std::vector<std::uint64_t>& ids, const std::string& codec) const {
  return encoded(ring_, ids, codec);
}

std::vector<std::uint64_t> SealRing::decode_many(const std::vector<std::string>& texts,
                                                 const std::string& codec) const {
  return decoded(ring_, texts, codec);
}

}  // namespace polyflake::facade
