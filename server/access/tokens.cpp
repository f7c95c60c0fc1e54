#include "access/tokens.hpp"

#include <algorithm>

#include "configuration/named_sections.hpp"
#include "configuration/toml_text.hpp"

namespace polyflake::server {
namespace {

constexpr std::size_t kShortest = 16;
constexpr std::size_t kMost = 1000;  // since each request of HTTP is compared with all

Secret secret_of(const Section& section) {
  const std::string text = section.needed_text("secret");
  // Credentials of HTTP end at a blank.
  const bool is_printable = std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c <= '~'; });
  if (is_printable && text.size() >= kShortest && text.size() <= Secret::kLongest) return Secret(text);
  section.refuse("secret", "16 to 128 printable characters of ASCII without blanks are needed, not these " +
                               std::to_string(text.size()) + "; `openssl rand -hex 32` makes good ones");
}

std::string without_blanks_around(const std::string& text) {
  const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
  return text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

std::string listed(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return list;
}

// Returns the names of a list with commas.
std::vector<std::string> keys_of(const Section& section, const std::vector<std::string>& served) {
  std::vector<std::string> keys;
  const auto list = section.text("keys");
  if (!list) return keys;
  for (std::size_t begin = 0; begin <= list->size();) {
    const std::size_t end = std::min(list->find(',', begin), list->size());
    const std::string name = without_blanks_around(list->substr(begin, end - begin));
    if (std::find(served.begin(), served.end(), name) == served.end()) {
      section.refuse("keys", "no generator and no counter of this server is named " + polyflake::quoted(name) +
                                 "; there are " + listed(served) + ". Without the key the token is for all");
    }
    keys.push_back(name);
    begin = end + 1;
  }
  return keys;
}

Token read_token(const Section& section, const std::string& name, const std::vector<std::string>& served) {
  return {name, secret_of(section), keys_of(section, served), section.integer("rate").value_or(0),
          section.flag("inspect")};
}

void check_secrets_differ(const toml::table& file_table, const std::string& file, const std::vector<Token>& tokens) {
  for (auto one = tokens.begin(); one != tokens.end(); ++one) {
    const auto same = std::find_if(tokens.begin(), one,
                                   [&](const Token& other) { return other.secret.differs_from(one->secret) == 0; });
    if (same == one) continue;
    refuse_line(file, file_table["token"].as_table()->get(one->name)->source(),
                "[token." + one->name + "] has the secret of [token." + same->name +
                    "], so nobody could tell their clients apart; give each a secret of its own");
  }
}

}  // namespace

std::vector<Token> read_tokens(std::string_view text, const std::string& file, const std::vector<std::string>& served) {
  const toml::table file_table = parsed_toml(text, file);
  const Section top(file_table, kFileOfTokens, "", file);
  std::vector<Token> tokens =
      read_named(file_table, "token", file,
                 [&](const Section& section, const std::string& name) { return read_token(section, name, served); });
  if (tokens.empty()) {
    throw ConfigurationError(file + ":1: there is no token, so no client could take ids: write a section [token.NAME]");
  }
  if (tokens.size() > kMost) {
    throw ConfigurationError(file + ":1: a file has at most " + std::to_string(kMost) + " tokens, and this one " +
                             std::to_string(tokens.size()) + "; give listeners files of their own");
  }
  check_secrets_differ(file_table, file, tokens);
  return tokens;
}

}  // namespace polyflake::server
