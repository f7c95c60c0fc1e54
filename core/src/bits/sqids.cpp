#include <polyflake/sqids.hpp>

#include <algorithm>

#include "base/made_once.hpp"
#include "base/pieces.hpp"
#include "bits/any_base.hpp"
#include "bits/blocklist.hpp"

namespace polyflake {
namespace {

constexpr std::size_t kShortestSqidsAlphabet = 3;
constexpr std::int64_t kMostSqidsLength = 255;

// Rearranges the letters in a way that depends on their present order.
void shuffle(std::string& letters) {
  const auto size = static_cast<std::uint32_t>(letters.size());
  for (std::uint32_t i = 0, j = size - 1; j > 0; ++i, --j) {
    const std::uint32_t codes = static_cast<unsigned char>(letters[i]) + static_cast<unsigned char>(letters[j]);
    std::swap(letters[i], letters[(i * j + codes) % size]);
  }
}

using Words = std::shared_ptr<const detail::Blocklist>;

// Returns the default words for the default alphabet. One list serves the whole process, since a
// list takes more time and memory than the rest of an object, and no garbage collector knows of it.
const Words& default_words() {
  static std::atomic<const Words*> words{nullptr};
  return made_once(words, [] {
    return std::make_shared<const detail::Blocklist>(Sqids::default_blocklist(), SqidsOptions().alphabet);
  });
}

Words words_of(const SqidsOptions& options) {
  if (!options.blocklist && options.alphabet == SqidsOptions().alphabet) return default_words();
  return std::make_shared<const detail::Blocklist>(options.blocklist ? *options.blocklist : Sqids::default_blocklist(),
                                                   options.alphabet);
}

}  // namespace

Sqids::Sqids(const SqidsOptions& options) : alphabet_(options.alphabet), shuffled_(options.alphabet) {
  require_alphabet(options.alphabet, kShortestSqidsAlphabet);
  require_min_length(options.min_length, kMostSqidsLength);
  min_length_ = static_cast<std::size_t>(options.min_length);
  blocklist_ = words_of(options);
  shuffle(shuffled_);
}

std::vector<std::string> Sqids::default_blocklist() { return pieces_of(kDefaultBlocklist, ' '); }

std::string Sqids::encode(std::uint64_t id) const { return encode(&id, 1); }

std::string Sqids::encode(const std::vector<std::uint64_t>& ids) const { return encode(ids.data(), ids.size()); }

std::string Sqids::encode(std::initializer_list<std::uint64_t> ids) const { return encode(ids.begin(), ids.size()); }

std::string Sqids::encode(const std::uint64_t* ids, std::size_t count) const {
  if (count == 0) return {};
  require_count(count, kMostIds);
  const std::size_t first = first_offset(ids, count);
  for (std::size_t retry = 0; retry < shuffled_.size(); ++retry) {
    std::string text = text_at(first + retry, ids, count);
    if (!blocklist_->blocks(text)) return text;
  }
  throw Error(ErrorCode::option_invalid,
              "the blocklist has a word in each of the " + std::to_string(shuffled_.size()) +
                  " texts that these ids may have: use fewer words, more characters in the alphabet or fewer ids");
}

// Returns the offset in the alphabet of the first text of these ids. Retries continue from there,
// in a circle.
std::size_t Sqids::first_offset(const std::uint64_t* ids, std::size_t count) const {
  std::size_t offset = count;
  for (std::size_t i = 0; i < count; ++i) {
    offset += i + static_cast<unsigned char>(shuffled_[ids[i] % shuffled_.size()]);
  }
  return offset % shuffled_.size();
}

// Returns the alphabet from an offset, reversed: its first letter separates ids, the others are
// digits.
std::string Sqids::letters_at(std::size_t offset) const {
  std::string letters = shuffled_;
  std::rotate(letters.begin(), letters.begin() + static_cast<std::ptrdiff_t>(offset % letters.size()), letters.end());
  std::reverse(letters.begin(), letters.end());
  return letters;
}

// Returns the text, blocked or not. Its first letter encodes the offset.
std::string Sqids::text_at(std::size_t offset, const std::uint64_t* ids, std::size_t count) const {
  std::string letters = letters_at(offset);
  std::string text(1, letters.back());
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) {
      text += letters.front();
      shuffle(letters);
    }
    append_number(text, ids[i], std::string_view(letters).substr(1));
  }
  if (text.size() < min_length_) text += letters.front();
  while (text.size() < min_length_) {
    shuffle(letters);
    text.append(letters, 0, min_length_ - text.size());
  }
  return text;
}

std::vector<std::uint64_t> Sqids::decode(std::string_view text) const {
  std::vector<std::uint64_t> ids;
  if (text.empty()) return ids;
  const TextRefusal refusal("Sqids", text);
  require_characters(refusal, alphabet_);
  const std::size_t offset = shuffled_.find(text[0]);
  std::string letters = letters_at(offset);
  std::size_t at = 1;
  // A separator in place of a digit: the rest is filling.
  while (at < text.size() && text[at] != letters.front()) {
    if (ids.size() == kMostIds) refusal.at(at, "it has more than " + std::to_string(kMostIds) + " ids");
    std::uint64_t id = 0;
    for (; at < text.size() && text[at] != letters.front(); ++at) {
      if (!append_digit(id, letters.find(text[at]) - 1, letters.size() - 1)) refusal.above_the_greatest(at);
    }
    ids.push_back(id);
    if (at < text.size()) shuffle(letters);
    ++at;
  }
  if (ids.empty()) refusal.at(1, "an id is due");
  require_same(refusal, text_at(offset, ids.data(), ids.size()));
  const std::size_t size = shuffled_.size();
  for (std::size_t before = first_offset(ids.data(), ids.size()); before % size != offset; ++before) {
    if (blocklist_->blocks(text_at(before, ids.data(), ids.size()))) continue;
    refusal.at(0, "its ids have another text; were all options the same?");
  }
  return ids;
}

}  // namespace polyflake
