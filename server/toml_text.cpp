#include "toml_text.hpp"

#include <algorithm>
#include <cstddef>

#include "section.hpp"

namespace polyflake::server {
namespace {

constexpr std::size_t kLongestLine = 4096, kLongestFile = std::size_t{1} << 20;
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

[[noreturn]] void refuse_text_line(const std::string& file, std::size_t line, const std::string& message) {
  throw ConfigurationError(file + ":" + std::to_string(line) + ": " + message);
}

constexpr std::string_view kBlanks = " \t";

std::string_view without_leading(std::string_view line, std::string_view characters) {
  line.remove_prefix(std::min(line.find_first_not_of(characters), line.size()));
  return line;
}

// Errors: ConfigurationError for the head of a section without a name. toml++ 3.3 asserts there that
// it has one, and has undefined behaviour without assertions.
void check_head(std::string_view line, const std::string& file, std::size_t number) {
  if (line.empty() || line.front() != '[') return;
  line.remove_prefix(line.substr(0, 2) == "[[" ? 2 : 1);
  line = without_leading(line, kBlanks);
  constexpr std::string_view kFirst = "\"'_-0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  if (!line.empty() && kFirst.find(line.front()) != std::string_view::npos) return;
  refuse_text_line(file, number, "behind '[' the name of a section is needed");
}

// Errors: ConfigurationError for a character that is not of ASCII, unless the line is a comment. For
// many of them toml++ 3.3 has undefined behaviour, when it looks whether they are blanks.
void check_ascii(std::string_view line, const std::string& file, std::size_t number) {
  const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  if ((!line.empty() && line.front() == '#') || std::all_of(line.begin(), line.end(), is_ascii)) return;
  refuse_text_line(file, number,
                   "a character that is not of ASCII. In a text write its number, as in \"\\u00e9\"; lines that begin "
                   "with # may have it");
}

void check_lines(std::string_view text, const std::string& file) {
  if (text.size() > kLongestFile) refuse_text_line(file, 1, "a configuration has at most 1 MiB");
  if (text.substr(0, kByteOrderMark.size()) == kByteOrderMark) text.remove_prefix(kByteOrderMark.size());
  std::size_t number = 1;
  for (std::size_t begin = 0; begin < text.size(); ++number) {
    const std::string_view line = text.substr(begin, text.find('\n', begin) - begin);
    begin += line.size() + 1;
    // Dots and brackets of a longer one could nest tables deeper than the stack allows.
    if (line.size() > kLongestLine) refuse_text_line(file, number, "a line has at most 4096 bytes");
    check_head(without_leading(line, kBlanks), file, number);
    check_ascii(without_leading(line, kBlanks), file, number);
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
