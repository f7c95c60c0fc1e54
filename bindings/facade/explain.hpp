// The presets that an unknown id may be from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <polyflake/explain.hpp>

namespace polyflake::facade {

// The result of explain() for an id, row by row. Indices are below size().
class Explanations {
 public:
  Explanations(std::uint64_t id, std::int64_t now_ms);

  std::size_t size() const;
  std::string preset(std::size_t index) const;
  std::string why_not(std::size_t index) const;                   // "" if the time is plausible
  bool fits(std::size_t index) const;                             // false: there are no parts
  polyflake::Parts parts(std::size_t index) const;                // if it fits
  std::vector<std::string> node_fields(std::size_t index) const;  // names for parts().fields

 private:
  std::vector<Explanation> rows_;
};

}  // namespace polyflake::facade
