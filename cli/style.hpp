// Colours of a terminal.
#pragma once

#include <string>
#include <string_view>

namespace polyflake::cli {

class Style {
 public:
  explicit Style(bool colored) : colored_(colored) {}

  bool colored() const { return colored_; }

  // Returns the text in one of six colours, which repeat after the last.
  std::string field(std::size_t index, std::string_view text) const {
    constexpr const char* kColors[] = {"36", "33", "32", "35", "34", "31"};
    return in(kColors[index % 6], text);
  }
  std::string dim(std::string_view text) const { return in("2", text); }
  std::string bold(std::string_view text) const { return in("1", text); }

 private:
  std::string in(const char* code, std::string_view text) const {
    if (!colored_) return std::string(text);
    return "\x1b[" + std::string(code) + "m" + std::string(text) + "\x1b[0m";
  }

  bool colored_;
};

}  // namespace polyflake::cli
