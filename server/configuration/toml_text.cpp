#include "configuration/toml_text.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "configuration/section.hpp"

namespace polyflake::server {
namespace {

constexpr std::size_t kLongestTomlLine = 4096, kLongestTomlFile = std::size_t{1} << 20;
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

[[noreturn]] void refuse_text_line(const std::string& file, std::size_t line, const std::string& message) {
  throw ConfigurationError(file + ":" + std::to_string(line) + ": " + message);
}

std::string_view without_leading_blanks(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  return line;
}

// Returns how many bytes the brackets and blanks take with which the head of a section begins; 0 if
// the line is none. Returns nothing if no name follows.
std::optional<std::size_t> beginning_of_head(std::string_view line) {
  if (line.empty() || line.front() != '[') return 0;
  constexpr std::string_view kFirst = "\"'_-0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  const std::string_view name = without_leading_blanks(line.substr(line.substr(0, 2) == "[[" ? 2 : 1));
  if (name.empty() || kFirst.find(name.front()) == std::string_view::npos) return std::nullopt;
  return line.size() - name.size();
}

// Returns what is wrong with a line; "" if nothing is. It refuses what no key needs and what toml++
// 3.3 does not survive: for the head of a section without a name, for characters that are not of
// ASCII and for some lists it has undefined behaviour, or fails an assertion.
const char* wrong_with(std::string_view line) {
  // Dots of a longer one could nest tables deeper than the stack allows.
  if (line.size() > kLongestTomlLine) return "a line has at most 4096 bytes";
  line = without_leading_blanks(line);
  const auto begin = beginning_of_head(line);
  if (!begin) return "behind '[' the name of a section is needed";
  char quote = 0;
  for (std::size_t at = *begin; at < line.size(); ++at) {
    const char c = line[at];
    if (quote == 0 && c == '#') return "";
    if (static_cast<unsigned char>(c) >= 0x80) {
      return "a character that is not of ASCII. In a text write its number, as in \"\\u00e9\"; comments may have it";
    }
    if (quote == 0 && c == '[') return "a list in brackets, which no key takes";
    if (quote == 0 && (c == '"' || c == '\'')) {
      if (line.substr(at, 3) == std::string(3, c)) return "a text of several lines, which no key takes";
      quote = c;
    } else if (quote == '"' && c == '\\') {
      ++at;
    } else if (c == quote) {
      quote = 0;
    }
  }
  return "";
}

void check_lines(std::string_view text, const std::string& file) {
  if (text.size() > kLongestTomlFile) refuse_text_line(file, 1, "a configuration has at most 1 MiB");
  if (text.substr(0, kByteOrderMark.size()) == kByteOrderMark) text.remove_prefix(kByteOrderMark.size());
  std::size_t number = 1;
  for (std::size_t begin = 0; begin < text.size(); ++number) {
    const std::string_view line = text.substr(begin, text.find('\n', begin) - begin);
    begin += line.size() + 1;
    const std::string wrong = wrong_with(line);
    if (!wrong.empty()) refuse_text_line(file, number, wrong);
  }
}

// Returns what toml++ says without the text of the file that it quotes; single characters stay.
std::string without_quoted_text(std::string_view said) {
  std::string text;
  while (!said.empty()) {
    const std::size_t open = std::min(said.find('\''), said.size());
    text += said.substr(0, open);
    said.remove_prefix(open);
    const std::size_t close = std::min(said.find('\'', 1), said.size());
    const bool is_character = close == 2 && said[1] > ' ' && said[1] <= '~';
    if (!said.empty()) text += is_character ? std::string(said.substr(0, 3)) : "(not shown)";
    said.remove_prefix(std::min(close + 1, said.size()));
  }
  return text;
}

}  // namespace

toml::table parsed_toml(std::string_view text, const std::string& file) {
  check_lines(text, file);
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& error) {
    std::string said = without_quoted_text(error.description());
    if (said.find("control characters") != std::string::npos) said += " (is a closing quote missing?)";
    if (said.find("value type") != std::string::npos) said += " (a text needs quotes)";
    refuse_line(file, error.source(), "column " + std::to_string(error.source().begin.column) + ": " + said);
  }
}

}  // namespace polyflake::server
