// JSON that the server writes: objects with members in a fixed order.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <polyflake/text.hpp>

namespace polyflake::server {

// Appends text in quotes. text: UTF-8.
inline void append_json_text(std::string_view text, std::string& out) {
  constexpr char kHex[] = "0123456789abcdef";
  out += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      out += "\\u00";
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
      continue;
    }
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  out += '"';
}

// Appends to the caller's text.
class JsonObject {
 public:
  explicit JsonObject(std::string& out) : out_(out) { out_ += '{'; }

  // Opens a member; the caller then appends its value.
  void open(std::string_view name) {
    if (!first_) out_ += ',';
    first_ = false;
    append_json_text(name, out_);
    out_ += ':';
  }
  void text(std::string_view name, std::string_view value) {
    open(name);
    append_json_text(value, out_);
  }
  // For values that may exceed 2^53, which JSON's readers round.
  void decimal(std::string_view name, std::uint64_t value) {
    char digits[kLongestDecimal];
    text(name, {digits, write_decimal(value, digits)});
  }
  void number(std::string_view name, std::int64_t value) {
    open(name);
    out_ += std::to_string(value);
  }
  void boolean(std::string_view name, bool value) {
    open(name);
    out_ += value ? "true" : "false";
  }
  void none(std::string_view name) {
    open(name);
    out_ += "null";
  }
  void end() { out_ += '}'; }

 private:
  std::string& out_;
  bool first_ = true;
};

}  // namespace polyflake::server
