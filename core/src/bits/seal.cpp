#include <polyflake/seal.hpp>

#include <polyflake/codec.hpp>
#include <polyflake/error.hpp>

#include <algorithm>

#include "base/text_refusal.hpp"
#include "bits/ff1.hpp"
#include "bits/key_text.hpp"

namespace polyflake {
namespace detail {

struct SealState {
  SealState(std::string_view key, const SealOptions& given) : options(given), ff1(key, given.tweak) {}

  const SealOptions options;
  const Ff1 ff1;
};

}  // namespace detail

namespace {

constexpr std::uint64_t kSignBit = std::uint64_t{1} << 63;
constexpr std::size_t kLongestKeyId = 8;
constexpr char kBehindKeyId = '_';  // not a digit of any codec

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorCode::option_invalid, message); }

bool is_key_id(std::string_view text) {
  const auto allowed = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
  };
  return !text.empty() && text.size() <= kLongestKeyId && std::all_of(text.begin(), text.end(), allowed);
}

// Such a key is nearly always the text of one, or a buffer that was not filled. Random bytes are
// neither in 10^17 draws.
void check_random(std::string_view key) {
  const bool constant = std::all_of(key.begin(), key.end(), [&](char c) { return c == key.front(); });
  if (!constant && !std::all_of(key.begin(), key.end(), is_hex_digit)) return;
  refuse(std::string("the bytes of this key are all ") +
         (constant ? "equal" : "hex digits, so it is the text of a key") +
         "; a key is random bytes, and from_file reads one from its text in hex digits");
}

void check(std::string_view key, const SealOptions& options) {
  if (key.size() != 16 && key.size() != 24 && key.size() != 32) {
    refuse("a key has 16, 24 or 32 bytes, not " + std::to_string(key.size()));
  }
  check_random(key);
  if (options.tweak.size() > Ff1::kLongestTweak) {
    refuse("a tweak has up to " + std::to_string(Ff1::kLongestTweak) + " bytes, not " +
           std::to_string(options.tweak.size()));
  }
  if (options.bits != 63 && options.bits != 64) refuse("bits are 63 or 64, not " + std::to_string(options.bits));
  if (options.key_id && !is_key_id(*options.key_id)) {
    refuse("a key id has 1 to 8 characters of 0-9A-Za-z, unlike the key id " + quoted(*options.key_id));
  }
}

void check_range(std::uint64_t number, const SealOptions& options) {
  if (options.bits == 64 || number < kSignBit) return;
  throw Error(ErrorCode::id_out_of_range,
              "id " + std::to_string(number) +
                  " is above 2^63 - 1, and this seal has 63 bits: it takes and gives what fits "
                  "a signed BIGINT");
}

Codec at_full_width(std::string_view name) {
  const Codec codec = Codec::named(name);
  if (codec.width() == codec.full_width()) return codec;
  CodecOptions options;
  options.width = codec.full_width();
  return Codec::named(name, options);
}

std::string in_front(const std::optional<std::string>& key_id) { return key_id ? *key_id + kBehindKeyId : ""; }

// Refuses a text of 2^63 or more at the first digit that makes it so.
[[noreturn]] void refuse_above_the_greatest(std::string_view text, const Codec& codec, std::uint64_t number) {
  const std::string most = codec.encode(kSignBit - 1);
  const std::string canonical = codec.encode(number);
  const auto position = std::mismatch(most.begin(), most.end(), canonical.begin()).first - most.begin();
  TextRefusal(codec.name(), text)
      .at(static_cast<std::size_t>(position), "it is above 2^63 - 1, and this seal has 63 bits",
          ErrorCode::id_out_of_range);
}

}  // namespace

Seal::Seal(std::string_view key, const SealOptions& options) {
  check(key, options);
  state_ = std::make_shared<const detail::SealState>(key, options);
}

// Cycle walking: a result outside the range is sealed again, until it is back inside. That takes
// two turns on average. It ends, since a permutation always leads back to its start.
std::uint64_t Seal::seal(std::uint64_t id) const {
  check_range(id, state_->options);
  do id = state_->ff1.encrypt(id);
  while (id >= kSignBit && state_->options.bits == 63);
  return id;
}

std::uint64_t Seal::unseal(std::uint64_t sealed) const {
  check_range(sealed, state_->options);
  do sealed = state_->ff1.decrypt(sealed);
  while (sealed >= kSignBit && state_->options.bits == 63);
  return sealed;
}

std::string Seal::encode(std::uint64_t id, std::string_view codec) const {
  return in_front(state_->options.key_id) + at_full_width(codec).encode(seal(id));
}

std::uint64_t Seal::decode(std::string_view text, std::string_view codec) const {
  const std::string front = in_front(state_->options.key_id);
  const auto shared = std::min(front.size(), text.size());
  const auto differs = static_cast<std::size_t>(
      std::mismatch(front.begin(), front.begin() + static_cast<std::ptrdiff_t>(shared), text.begin()).first -
      front.begin());
  if (differs < front.size()) {
    TextRefusal("sealed", text).at(differs, "the key id of this seal, and '_', are due in front");
  }
  return decode_at(front.size(), text, codec);
}

std::uint64_t Seal::decode_at(std::size_t begin, std::string_view text, std::string_view codec) const {
  const Codec reader = at_full_width(codec);
  const std::string_view digits = text.substr(begin);
  try {
    const std::uint64_t sealed = reader.decode(digits);
    if (state_->options.bits == 63 && sealed >= kSignBit) refuse_above_the_greatest(digits, reader, sealed);
    return unseal(sealed);
  } catch (const Error& error) {
    if (begin == 0 || !error.position()) throw;
    const std::size_t position = begin + *error.position();
    throw Error(error.code(),
                "at position " + std::to_string(position) + ", counted from the key id on: " + error.what(), position);
  }
}

const std::string& Seal::tweak() const { return state_->options.tweak; }

int Seal::bits() const { return static_cast<int>(state_->options.bits); }

const std::optional<std::string>& Seal::key_id() const { return state_->options.key_id; }

SealRing::SealRing(std::vector<Seal> seals) : seals_(std::move(seals)) {
  if (seals_.empty()) refuse("a ring has one seal at least, the current one first");
  for (std::size_t i = 0; i < seals_.size(); ++i) {
    if (seals_[i].tweak() != seals_.front().tweak()) {
      refuse("the seals of a ring have one tweak, since each would open the ids of another kind; the tweak of seal " +
             std::to_string(i) + " is not that of seal 0");
    }
    if (find(seals_[i].key_id()) == &seals_[i]) continue;
    const auto& key_id = seals_[i].key_id();
    refuse(key_id ? "two seals of the ring have the key id " + quoted(*key_id)
                  : "two seals of the ring have no key id; one at most may have none");
  }
}

std::uint64_t SealRing::seal(std::uint64_t id) const { return seals_.front().seal(id); }

std::string SealRing::encode(std::uint64_t id, std::string_view codec) const {
  return seals_.front().encode(id, codec);
}

std::uint64_t SealRing::unseal(std::uint64_t sealed, const std::optional<std::string>& key_id) const {
  const Seal* const seal = find(key_id);
  if (seal == nullptr) {
    refuse(key_id ? "no seal of the ring has this key id" : "each seal of the ring has a key id");
  }
  return seal->unseal(sealed);
}

std::uint64_t SealRing::decode(std::string_view text, std::string_view codec) const {
  const std::size_t end = text.substr(0, kLongestKeyId + 1).find(kBehindKeyId);
  const bool has_key_id = end != std::string_view::npos;
  const Seal* const seal = find(has_key_id ? std::optional<std::string>(text.substr(0, end)) : std::nullopt);
  if (seal == nullptr) {
    TextRefusal("sealed", text).at(0, has_key_id ? "no seal of the ring has this key id" : "it has no key id in front");
  }
  return seal->decode_at(has_key_id ? end + 1 : 0, text, codec);
}

const Seal* SealRing::find(const std::optional<std::string>& key_id) const {
  const auto found =
      std::find_if(seals_.begin(), seals_.end(), [&](const Seal& seal) { return seal.key_id() == key_id; });
  return found == seals_.end() ? nullptr : &*found;
}

}  // namespace polyflake
