#include "facade/explain.hpp"

#include "facade/layout.hpp"

namespace polyflake::facade {

Explanations::Explanations(std::uint64_t id, std::int64_t now_ms) : rows_(explain(id, now_ms)) {}

std::size_t Explanations::size() const { return rows_.size(); }

std::string Explanations::preset(std::size_t index) const { return rows_.at(index).preset; }

std::string Explanations::why_not(std::size_t index) const {
  const auto reason = rows_.at(index).why_not;
  return reason ? name_of(*reason) : "";
}

bool Explanations::fits(std::size_t index) const { return rows_.at(index).parts.has_value(); }

polyflake::Parts Explanations::parts(std::size_t index) const { return rows_.at(index).parts.value(); }

std::vector<std::string> Explanations::node_fields(std::size_t index) const {
  return Layout(rows_.at(index).preset).node_fields();
}

}  // namespace polyflake::facade
