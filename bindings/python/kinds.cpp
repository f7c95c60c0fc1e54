// Kinds of ids: their texts, and the parts of their ids.
#include "binding.hpp"

#include <pybind11/stl.h>

namespace polyflake::python {
namespace {

// Returns (time_ms, another part, ...).
py::tuple decode_id(const py::str& kind, const py::str& layout, const py::bytes& id) {
  const facade::IdParts parts = facade::decode_id(utf8(kind), utf8(layout), id);
  py::tuple all(1 + parts.values.size());
  all[0] = parts.time_ms;
  for (std::size_t i = 0; i < parts.values.size(); ++i) all[1 + i] = parts.values[i];
  return all;
}

py::tuple parse_kind(const py::str& text, const std::vector<std::string>& own) {
  const facade::KindText kind = facade::parse_kind(utf8(text), own);
  return py::make_tuple(kind.name, kind.has_store ? py::object(py::str(kind.store)) : py::none());
}

}  // namespace

void bind_kinds(py::module_& module) {
  module.def("parse_kind", &parse_kind, py::arg("text"), py::arg("own"));
  module.def("built_in_kinds", &facade::built_in_kinds);
  module.def(
      "check_new_kind",
      [](const py::str& name, const std::vector<std::string>& own) { facade::check_new_kind(utf8(name), own); },
      py::arg("name"), py::arg("own"));
  module.def(
      "parse_uuid", [](const py::str& text) { return py::bytes(facade::parse_uuid(utf8(text))); }, py::arg("text"));
  module.def(
      "parse_id",
      [](const py::str& kind, const py::str& text) { return py::bytes(facade::parse_id(utf8(kind), utf8(text))); },
      py::arg("kind"), py::arg("text"));
  module.def(
      "id_text", [](const py::str& kind, const py::bytes& id) { return facade::id_text(utf8(kind), id); },
      py::arg("kind"), py::arg("id"));
  module.def("decode_id", &decode_id, py::arg("kind"), py::arg("layout"), py::arg("id"));
  module.def(
      "first_id", [](const py::str& kind, std::int64_t ms) { return py::bytes(facade::first_id(utf8(kind), ms)); },
      py::arg("kind"), py::arg("time_ms"));
  module.def(
      "last_id", [](const py::str& kind, std::int64_t ms) { return py::bytes(facade::last_id(utf8(kind), ms)); },
      py::arg("kind"), py::arg("time_ms"));
  module.def(
      "layout_to_uuid",
      [](const py::str& layout, std::uint64_t id) { return py::bytes(facade::layout_to_uuid(utf8(layout), id)); },
      py::arg("layout"), py::arg("id"));
  module.def(
      "layout_from_uuid",
      [](const py::str& layout, const py::bytes& uuid) { return facade::layout_from_uuid(utf8(layout), uuid); },
      py::arg("layout"), py::arg("uuid"));
}

}  // namespace polyflake::python
