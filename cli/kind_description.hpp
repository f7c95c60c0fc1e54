// Ids as their shape tells them apart, and what UUIDs and ObjectIds say.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <polyflake/layout.hpp>

#include "instant.hpp"
#include "style.hpp"

namespace polyflake::cli {

// A UUID (8-4-4-4-12 characters) or an ObjectId (24 hex digits); 17 digits and more before a '-';
// any other text.
enum class Shape { other_kind, friendly, number };
Shape shape_of(std::string_view text);

class KindDescription {
 public:
  // layout: of the snowflakes that a UUID may spell. name: as the user gave it.
  KindDescription(std::string name, const Layout& layout) : name_(std::move(name)), layout_(layout) {}

  // Append one line of JSON, or some lines for people, for a text of the shape other_kind.
  // Errors: text_invalid (another spelling, or a UUID of a version other than 4 and 7); then they
  // append nothing.
  void append_json(std::string& text, std::string_view given, std::int64_t now_ms);
  void append_text(std::string& text, std::string_view given, std::int64_t now_ms, const Style& style);

 private:
  const std::string name_;
  const Layout layout_;
  LocalTime local_;
};

}  // namespace polyflake::cli
