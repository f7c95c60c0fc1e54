#include <polyflake/codec.hpp>

#include <polyflake/error.hpp>

#include <algorithm>

#include "base/text_refusal.hpp"
#include "bits/radix.hpp"

namespace polyflake {
namespace {

// The values of Crockford's check symbol.
constexpr std::string_view kChecks = "0123456789ABCDEFGHJKMNPQRSTVWXYZ*~$=U";
constexpr std::size_t kMoreChecks = 32;  // from here on they are not digits

constexpr Alphabet crockford() {
  Alphabet alphabet = alphabet_of(kChecks.substr(0, kMoreChecks));
  for (const char c : alphabet.digits) {
    if (c >= 'A') alphabet.read(static_cast<char>(c - 'A' + 'a'), alphabet.value(c));
  }
  for (const char c : std::string_view("IiLl")) alphabet.read(c, 1);
  for (const char c : std::string_view("Oo")) alphabet.read(c, 0);
  return alphabet;
}

constexpr Alphabet kDecimal = alphabet_of("0123456789");
constexpr Alphabet kHex = alphabet_of("0123456789abcdef");
constexpr Alphabet kCrockford32 = crockford();
constexpr Alphabet kBase36 = alphabet_of("0123456789abcdefghijklmnopqrstuvwxyz");
constexpr Alphabet kBase58 = alphabet_of("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz");
constexpr Alphabet kBase62 = alphabet_of("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
constexpr Alphabet kZBase32 = alphabet_of("ybndrfg8ejkmcpqxot1uwisza345h769");
constexpr Alphabet kBase58Flickr = alphabet_of("123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ");

}  // namespace

namespace detail {

struct CodecRow {
  const char* name;
  const Alphabet& alphabet;
  int full_width;
  int own_width;
  bool has_check;
  void (*write)(std::uint64_t id, char* text);
  bool (*read)(std::string_view text, std::uint64_t& id);
};

}  // namespace detail

namespace {

using detail::CodecRow;

enum class DefaultWidth { as_needed, full };

template <const Alphabet& alphabet>
constexpr CodecRow row(const char* name, DefaultWidth default_width, bool has_check = false) {
  using Digits = Radix<alphabet>;
  static_assert(static_cast<std::size_t>(Digits::kWidth) <= Codec::kLongest);
  return {name,      alphabet,      Digits::kWidth, default_width == DefaultWidth::full ? Digits::kWidth : 0,
          has_check, Digits::write, Digits::read};
}

constexpr CodecRow kCodecs[] = {
    row<kDecimal>("decimal", DefaultWidth::as_needed),
    row<kHex>("hex", DefaultWidth::full),
    row<kCrockford32>("crockford32", DefaultWidth::full, true),
    row<kBase36>("base36", DefaultWidth::full),
    row<kBase58>("base58", DefaultWidth::full),
    row<kBase62>("base62", DefaultWidth::full),
    row<kZBase32>("zbase32", DefaultWidth::as_needed),
    row<kBase58Flickr>("base58-flickr", DefaultWidth::as_needed),
};

[[noreturn]] void refuse_option(const std::string& message) { throw Error(ErrorCode::option_invalid, message); }

const CodecRow& row_of(std::string_view name) {
  for (const CodecRow& row : kCodecs) {
    if (name == row.name) return row;
  }
  std::string known;
  for (const CodecRow& row : kCodecs) known += std::string(known.empty() ? "" : ", ") + row.name;
  refuse_option("unknown codec " + quoted(name) + ": use one of " + known);
}

char check_symbol(std::uint64_t id) { return kChecks[id % kChecks.size()]; }

// Reads a symbol that is a digit like a digit.
bool is_check_symbol(char c, std::uint64_t id) {
  const std::size_t due = id % kChecks.size();
  if (due < kMoreChecks) return kCrockford32.value(c) == due;
  return c == kChecks[due] || (c == 'u' && kChecks[due] == 'U');
}

// Explains why a text was not read: the first rule that it breaks, from its first character on.
class Refusal {
 public:
  Refusal(const CodecRow& row, int width, bool check, std::string_view text)
      : row_(row), width_(width), check_(check), text_(text), refusal_(row.name, text) {}

  [[noreturn]] void raise() const {
    const auto most = static_cast<std::size_t>(width_ > 0 ? width_ : row_.full_width);
    const std::string_view digits = text_.substr(0, std::min(most, text_.size() - (check_ && !text_.empty() ? 1 : 0)));
    check_digits(digits);
    check_length(digits.size(), most);
    if (width_ == 0 && digits.size() > 1 && row_.alphabet.value(digits[0]) == 0) refusal_.at(0, "no leading zero");
    std::uint64_t id = 0;
    if (!row_.read(digits, id)) refusal_.above_the_greatest(first_above_the_greatest(digits));
    refusal_.at(digits.size(), "the check symbol does not belong to the rest");
  }

 private:
  void check_digits(std::string_view digits) const {
    for (std::size_t i = 0; i < digits.size(); ++i) {
      if (row_.alphabet.value(digits[i]) == kNoDigit)
        refusal_.at(i, "the digits are " + std::string(row_.alphabet.digits));
    }
  }

  void check_length(std::size_t digits, std::size_t most) const {
    const std::size_t check = check_ ? 1 : 0;
    // In place of the check symbol; its bytes would be taken for several characters.
    if (check_ && digits < text_.size() && (text_[digits] & 0x80) != 0) {
      refusal_.at(digits, "the check symbols are " + std::string(kChecks));
    }
    if (digits == 0 || text_.size() != digits + check || (width_ > 0 && digits < most)) {
      refusal_.at(std::min(text_.size(), most + check), "it has " + lengths());
    }
  }

  std::string lengths() const {
    const int more = check_ ? 1 : 0;
    if (width_ > 0) return "exactly " + std::to_string(width_ + more) + " characters";
    return std::to_string(1 + more) + " to " + std::to_string(row_.full_width + more) + " characters";
  }

  std::size_t first_above_the_greatest(std::string_view digits) const {
    char greatest[Codec::kLongest];
    row_.write(~std::uint64_t{0}, greatest);
    std::size_t i = 0;
    while (row_.alphabet.value(digits[i]) == row_.alphabet.value(greatest[i])) ++i;
    return i;
  }

  const CodecRow& row_;
  int width_;
  bool check_;
  std::string_view text_;
  TextRefusal refusal_;
};

}  // namespace

Codec Codec::named(std::string_view name, const CodecOptions& options) {
  const CodecRow& row = row_of(name);
  const std::int64_t width = options.width.value_or(row.own_width);
  if (width < 0 || width > row.full_width) {
    refuse_option("codec " + std::string(row.name) + " has a width of 0 (as needed) to " +
                  std::to_string(row.full_width) + " characters, not " + std::to_string(width));
  }
  if (options.check && !row.has_check) {
    refuse_option("codec " + std::string(row.name) + " has no check symbol; crockford32 has one");
  }
  return Codec(row, static_cast<int>(width), options.check);
}

std::size_t Codec::encode(std::uint64_t id, char* text) const {
  std::size_t length = static_cast<std::size_t>(row_->full_width);
  if (width_ == row_->full_width) {
    row_->write(id, text);
  } else {
    length = encode_narrow(id, text);
  }
  if (check_) text[length++] = check_symbol(id);
  return length;
}

// Writes fewer characters than full width, as many as the id needs.
std::size_t Codec::encode_narrow(std::uint64_t id, char* text) const {
  char all[kLongest];
  row_->write(id, all);
  const auto full = static_cast<std::size_t>(row_->full_width);
  std::size_t first = full - static_cast<std::size_t>(std::max(width_, 1));
  const std::size_t needed = static_cast<std::size_t>(
      std::find_if(all, all + first, [this](char c) { return c != row_->alphabet.digits[0]; }) - all);
  if (width_ == 0) {
    first = needed;
  } else if (needed < first) {
    throw Error(ErrorCode::id_out_of_range, "id " + std::to_string(id) + " needs " + std::to_string(full - needed) +
                                                " characters of " + row_->name + ", the codec's width is " +
                                                std::to_string(width_));
  }
  return static_cast<std::size_t>(std::copy(all + first, all + full, text) - text);
}

std::string Codec::encode(std::uint64_t id) const {
  // Encodes in place: a copy would wait for the digits, which were stored one by one.
  std::string text(static_cast<std::size_t>(row_->full_width + (check_ ? 1 : 0)), row_->alphabet.digits[0]);
  text.resize(encode(id, text.data()));
  return text;
}

std::uint64_t Codec::decode(std::string_view text) const {
  const std::string_view digits = check_ && !text.empty() ? text.substr(0, text.size() - 1) : text;
  const auto width = static_cast<std::size_t>(width_);
  const bool fits = width_ > 0 ? digits.size() == width
                               : digits.size() == 1 || (digits.size() > 1 && row_->alphabet.value(digits[0]) != 0 &&
                                                        digits.size() <= static_cast<std::size_t>(row_->full_width));
  std::uint64_t id = 0;
  if (!fits || !row_->read(digits, id) || (check_ && !is_check_symbol(text.back(), id))) {
    Refusal(*row_, width_, check_, text).raise();
  }
  return id;
}

const char* Codec::name() const { return row_->name; }

std::string_view Codec::digits() const { return row_->alphabet.digits; }

int Codec::full_width() const { return row_->full_width; }

std::vector<std::string> codec_names() {
  std::vector<std::string> names;
  for (const CodecRow& row : kCodecs) names.emplace_back(row.name);
  return names;
}

}  // namespace polyflake
