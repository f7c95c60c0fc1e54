#include "bits/any_base.hpp"

#include <algorithm>

namespace polyflake {
namespace {

[[noreturn]] void refuse_option(const std::string& message) { throw Error(ErrorCode::option_invalid, message); }

}  // namespace

void require_alphabet(std::string_view alphabet, std::size_t fewest) {
  for (std::size_t i = 0; i < alphabet.size(); ++i) {
    const std::string which = "alphabet, at position " + std::to_string(i) + ": ";
    if (alphabet[i] < ' ' || alphabet[i] > '~') refuse_option(which + "use printable ASCII characters");
    if (alphabet.find(alphabet[i]) < i) refuse_option(which + "this character was there before");
  }
  if (alphabet.size() < fewest) {
    refuse_option("an alphabet of " + std::to_string(alphabet.size()) + " characters: use at least " +
                  std::to_string(fewest));
  }
}

void require_min_length(std::int64_t min_length, std::int64_t most) {
  if (min_length < 0 || min_length > most) {
    refuse_option("texts of at least " + std::to_string(min_length) + " characters: use 0 to " + std::to_string(most));
  }
}

void require_count(std::size_t ids, std::size_t most) {
  if (ids > most) {
    refuse_option(std::to_string(ids) + " ids in one text: use at most " + std::to_string(most));
  }
}

void require_characters(const TextRefusal& refusal, std::string_view alphabet) {
  const std::size_t position = refusal.text().find_first_not_of(alphabet);
  if (position != std::string_view::npos) refusal.at(position, "this character is not in the alphabet");
}

void require_same(const TextRefusal& refusal, std::string_view canonical) {
  const std::string_view text = refusal.text();
  if (text == canonical) return;
  const auto differ = std::mismatch(text.begin(), text.end(), canonical.begin(), canonical.end());
  refusal.at(static_cast<std::size_t>(differ.first - text.begin()),
             "no ids have such a text; were all options the same?");
}

}  // namespace polyflake
