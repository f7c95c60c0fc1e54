// JSON as commands print it: one object a line, members in a fixed order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "one_line.hpp"

namespace polyflake::cli {

// Appends to the caller's text. Ids, ticks and node ids may exceed 2^53, so they are texts. Times
// are numbers, which exceed it in the year 287396.
class JsonObject {
 public:
  explicit JsonObject(std::string& text) : text_(&text) { text += '{'; }

  // Opens a member; the caller then appends its value to the text. All names come from this
  // program: nothing to escape.
  void open(std::string_view name) {
    // In one step, since a line has two dozen of them.
    const std::size_t begin = text_->size(), comma = first_ ? 0 : 1;
    text_->resize(begin + comma + name.size() + 3, ',');
    char* out = text_->data() + begin + comma;
    *out++ = '"';
    out = std::copy(name.begin(), name.end(), out);
    *out++ = '"';
    *out = ':';
    first_ = false;
  }
  // value: with nothing to escape. Any other text is for said().
  void text(std::string_view name, std::string_view value) {
    open(name);
    *text_ += '"';
    *text_ += value;
    *text_ += '"';
  }
  // value: any bytes. The text is plain ASCII, control and non-ASCII characters as in one_line().
  void said(std::string_view name, std::string_view value) {
    open(name);
    *text_ += '"';
    for (const char c : one_line(value)) {
      if (c == '"' || c == '\\') *text_ += '\\';
      *text_ += c;
    }
    *text_ += '"';
  }
  void none(std::string_view name) {
    open(name);
    *text_ += "null";
  }
  void number(std::string_view name, std::int64_t value) {
    open(name);
    *text_ += std::to_string(value);
  }
  void boolean(std::string_view name, bool value) {
    open(name);
    *text_ += value ? "true" : "false";
  }
  void end() { *text_ += '}'; }
  // Ends the object and its line.
  void end_line() { *text_ += "}\n"; }

 private:
  std::string* text_;
  bool first_ = true;
};

}  // namespace polyflake::cli
