#include "kinds/random_words.hpp"

#include <polyflake/detail/big_endian.hpp>
#include <polyflake/error.hpp>

#include <algorithm>

namespace polyflake {
namespace {

constexpr std::size_t kWord = 8;

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::option_invalid, "entropy " + why); }

}  // namespace

RandomWords::RandomWords(const std::optional<std::string>& given, bool manual) : given_(given) {
  if (!given_) return;
  if (!manual) refuse("is for tests, together with a manual clock; leave it out");
  if (given_->size() % kWord != 0) {
    refuse("is whole words of 8 bytes, not " + std::to_string(given_->size()) + " bytes");
  }
}

std::uint64_t RandomWords::next_given() {
  const std::size_t word = used_.fetch_add(1, std::memory_order_relaxed);
  if (word >= given_->size() / kWord) refuse("is used up");
  return load_big_endian(reinterpret_cast<const std::uint8_t*>(given_->data()) + word * kWord);
}

void RandomWords::fill(std::uint64_t* words, std::size_t n) {
  if (!given_) return entropy::fill(words, n);
  for (std::size_t i = 0; i < n; ++i) words[i] = next_given();
}

void RandomWords::expect_given(std::size_t n) const {
  const std::size_t all = given_->size() / kWord, used = used_.load(std::memory_order_relaxed);
  const std::size_t left = all - std::min(used, all);
  if (n > left) refuse("of " + std::to_string(left) + " words is left, " + std::to_string(n) + " are needed");
}

}  // namespace polyflake
