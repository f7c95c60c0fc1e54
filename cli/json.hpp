// JSON as commands print it: one object a line, members in a fixed order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace polyflake::cli {

// Appends to a text of the caller. Ids, ticks and node ids may pass 2^53, so they are texts; times are numbers, which pass it
// in the year 287396.
class JsonObject {
 public:
  explicit JsonObject(std::string& text) : text_(&text) { text += '{'; }

  // Opens a member; its value is then appended to the text by the caller. Names and texts are ours: nothing to escape.
  void open(std::string_view name) {
    // In one step: a line has two dozen of them.
    const std::size_t begin = text_->size(), comma = first_ ? 0 : 1;
    text_->resize(begin + comma + name.size() + 3, ',');
    char* place = text_->data() + begin + comma;
    *place++ = '"';
    place = std::copy(name.begin(), name.end(), place);
    *place++ = '"';
    *place = ':';
    first_ = false;
  }
  void text(std::string_view name, std::string_view value) {
    open(name);
    *text_ += '"';
    *text_ += value;
    *text_ += '"';
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

 private:
  std::string* text_;
  bool first_ = true;
};

}  // namespace polyflake::cli
