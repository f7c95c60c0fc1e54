// The presets that an unknown id may be from.
#include "binding.hpp"

namespace polyflake::python {
namespace {

// Returns [(preset, parts as of decode() or None, why not or None)].
py::list explain(std::uint64_t id, std::int64_t now_ms) {
  const facade::Explanations explanations(id, now_ms);
  py::list rows;
  for (std::size_t i = 0; i < explanations.size(); ++i) {
    const std::string why_not = explanations.why_not(i);
    py::object parts = py::none();
    if (explanations.fits(i)) parts = tuple_of(explanations.parts(i), explanations.node_fields(i));
    py::object reason = py::none();
    if (!why_not.empty()) reason = py::str(why_not);
    rows.append(py::make_tuple(explanations.preset(i), parts, reason));
  }
  return rows;
}

}  // namespace

void bind_explain(py::module_& module) { module.def("explain", &explain, py::arg("id"), py::arg("now_ms")); }

}  // namespace polyflake::python
