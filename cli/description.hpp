// Description: the fields of an id, in all the forms that people ask for.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include <polyflake/codec.hpp>
#include <polyflake/layout.hpp>

#include "instant.hpp"
#include "style.hpp"

namespace polyflake::cli {

class Description {
 public:
  // name: of the layout, as the user gave it.
  Description(std::string name, const Layout& layout);

  // Appends one line of JSON. Errors: id_out_of_range; then it appends nothing.
  void append_json(std::string& text, std::uint64_t id, std::int64_t now_ms);

  // Appends some lines for people, with the bits drawn below. Errors: as append_json().
  void append_text(std::string& text, std::uint64_t id, std::int64_t now_ms, const Style& style);

  // Appends the bits of ids in the groups of their fields, one line each, and the names of the
  // fields below.
  void append_bits(std::string& text, std::initializer_list<std::uint64_t> ids, const Style& style) const;

 private:
  const std::string name_;
  const Layout layout_;
  std::vector<Codec> codecs_;
  LocalTime local_;
};

// Returns the name of the preset with this Layout::fingerprint().
std::optional<std::string> preset_of(std::uint64_t fingerprint);

// Returns the label in front of a value: "name        ".
std::string labelled(std::string_view name, const Style& style);

}  // namespace polyflake::cli
