#include <polyflake/hashids.hpp>

#include <algorithm>
#include <optional>

#include "bits/any_base.hpp"

namespace polyflake {
namespace {

constexpr std::size_t kShortestHashidsAlphabet = 16;
constexpr std::int64_t kMostHashidsLength = 1024;
constexpr std::string_view kSeparators = "cfhistuCFHISTU";

// Two separators for seven digits.
constexpr std::size_t separators_beside(std::size_t digits) { return (2 * digits + 6) / 7; }
constexpr std::size_t guards_beside(std::size_t digits) { return (digits + 11) / 12; }

std::uint32_t code_of(char c) { return static_cast<unsigned char>(c); }

// `salt(i)` returns the i-th character of the salt, whose length is `length`. An empty salt moves
// nothing.
template <class Salt>
void shuffle(std::string& letters, std::size_t length, const Salt& salt) {
  if (length == 0) return;
  std::uint64_t sum = 0;
  for (std::size_t left = letters.size(), at = 0; left-- > 1; at = (at + 1) % length) {
    const std::uint64_t code = salt(at);
    sum += code;
    std::swap(letters[left], letters[(code + at + sum) % left]);
  }
}

// Takes the first code point off a text of UTF-8. Returns nothing, and takes nothing, if there is
// none (RFC 3629).
std::optional<std::uint32_t> take_code_point(std::string_view& text) {
  const std::uint32_t lead = code_of(text.front());
  const std::size_t more = lead < 0x80 ? 0 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
  const bool is_lead = (lead < 0x80 || lead >= 0xc0) && lead < 0xf8;
  if (!is_lead || text.size() <= more) return std::nullopt;
  std::uint32_t point = more == 0 ? lead : lead & (0x3fU >> more);
  for (std::size_t i = 1; i <= more; ++i) {
    if ((code_of(text[i]) & 0xc0) != 0x80) return std::nullopt;
    point = point << 6 | (code_of(text[i]) & 0x3f);
  }
  constexpr std::uint32_t kLeast[] = {0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = point >= 0xd800 && point < 0xe000;
  if (point < kLeast[more] || point > 0x10ffff || is_surrogate) return std::nullopt;
  text.remove_prefix(more + 1);
  return point;
}

// Code points of UTF-8.
// Errors: option_invalid.
std::vector<std::uint32_t> code_points(std::string_view salt) {
  std::vector<std::uint32_t> points;
  for (std::string_view rest = salt; !rest.empty();) {
    const std::optional<std::uint32_t> point = take_code_point(rest);
    if (!point) {
      const std::size_t at = salt.size() - rest.size();
      throw Error(ErrorCode::option_invalid, "the salt is not UTF-8 at byte " + std::to_string(at));
    }
    points.push_back(*point);
  }
  return points;
}

// Removes the first `count` letters and returns them.
std::string take(std::string& letters, std::size_t count) {
  std::string taken = letters.substr(0, count);
  letters.erase(0, count);
  return taken;
}

}  // namespace

Hashids::Hashids(std::string_view salt, std::int64_t min_length, std::string_view alphabet)
    : alphabet_(alphabet), salt_(code_points(salt)) {
  require_alphabet(alphabet, kShortestHashidsAlphabet);
  require_min_length(min_length, kMostHashidsLength);
  min_length_ = static_cast<std::size_t>(min_length);
  const auto salt_at = [this](std::size_t i) { return salt_[i]; };
  for (const char c : kSeparators) {
    if (alphabet.find(c) != std::string_view::npos) separators_ += c;
  }
  for (const char c : alphabet) {
    if (kSeparators.find(c) == std::string_view::npos) digits_ += c;
  }
  shuffle(separators_, salt_.size(), salt_at);
  const std::size_t due = separators_beside(digits_.size());
  if (due > separators_.size()) separators_ += take(digits_, due - separators_.size());
  shuffle(digits_, salt_.size(), salt_at);
  guards_ = take(digits_.size() < 3 ? separators_ : digits_, guards_beside(digits_.size()));
}

std::string Hashids::encode(std::uint64_t id) const { return encode(&id, 1); }

std::string Hashids::encode(const std::vector<std::uint64_t>& ids) const { return encode(ids.data(), ids.size()); }

std::string Hashids::encode(std::initializer_list<std::uint64_t> ids) const { return encode(ids.begin(), ids.size()); }

std::string Hashids::encode(const std::uint64_t* ids, std::size_t count) const {
  if (count == 0) return {};
  require_count(count, kMostIds);
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += ids[i] % (i + 100);
  std::string digits = digits_;
  const char lottery = digits[sum % digits.size()];
  std::string text(1, lottery);
  for (std::size_t i = 0; i < count; ++i) {
    shuffle_digits(digits, lottery);
    const std::size_t first = text.size();
    append_number(text, ids[i], digits);
    if (i + 1 < count) text += separators_[ids[i] % (code_of(text[first]) + i) % separators_.size()];
  }
  if (text.size() < min_length_) fill_up(text, digits, sum);
  return text;
}

// Shuffles by the lottery letter, the salt and the digits themselves, as far as they are needed.
void Hashids::shuffle_digits(std::string& digits, char lottery) const {
  const std::string before = digits;
  shuffle(digits, before.size(), [&](std::size_t i) {
    if (i == 0) return code_of(lottery);
    return i <= salt_.size() ? salt_[i - 1] : code_of(before[i - 1 - salt_.size()]);
  });
}

// Adds a guard in front, a guard at the end, then halves of the digits on both sides, until the
// length is reached.
void Hashids::fill_up(std::string& text, std::string& digits, std::uint64_t sum) const {
  text.insert(text.begin(), guards_[(sum + code_of(text[0])) % guards_.size()]);
  if (text.size() < min_length_) text += guards_[(sum + code_of(text[2])) % guards_.size()];
  const std::size_t half = digits.size() / 2;
  while (text.size() < min_length_) {
    const std::string before = digits;
    shuffle(digits, before.size(), [&before](std::size_t i) { return code_of(before[i]); });
    text.insert(0, digits, half, std::string::npos).append(digits, 0, half);
    if (text.size() > min_length_) text = text.substr((text.size() - min_length_) / 2, min_length_);
  }
}

// Returns the part between the guards.
std::string_view Hashids::without_filling(std::string_view text) const {
  const std::size_t front = text.find_first_of(guards_);
  if (front == std::string_view::npos) return text;
  const std::size_t back = text.find_first_of(guards_, front + 1);
  if (back != std::string_view::npos) {
    const std::size_t third = text.find_first_of(guards_, back + 1);
    if (third != std::string_view::npos) TextRefusal("Hashids", text).at(third, "it has more than two guards");
  }
  return text.substr(front + 1, back == std::string_view::npos ? back : back - front - 1);
}

std::vector<std::uint64_t> Hashids::decode(std::string_view text) const {
  std::vector<std::uint64_t> ids;
  const TextRefusal refusal("Hashids", text);
  require_characters(refusal, alphabet_);
  const std::string_view body = without_filling(text);
  std::string digits = digits_;
  for (std::size_t at = 1; at <= body.size(); ++at) {
    const auto position = [&] { return static_cast<std::size_t>(body.data() - text.data()) + at; };
    if (ids.size() == kMostIds) refusal.at(position(), "it has more than " + std::to_string(kMostIds) + " ids");
    shuffle_digits(digits, body[0]);
    std::uint64_t id = 0;
    for (; at < body.size() && separators_.find(body[at]) == std::string::npos; ++at) {
      if (!append_digit(id, digits.find(body[at]), digits.size())) refusal.above_the_greatest(position());
    }
    ids.push_back(id);
  }
  require_same(refusal, encode(ids.data(), ids.size()));
  return ids;
}

}  // namespace polyflake
