// Kinds of ids: their texts, and what their ids say.
#include "binding.hpp"

#include <pybind11/stl.h>

namespace polyflake::python {
namespace {

py::tuple parts_of_uuid7(const py::str& layout, const py::bytes& uuid) {
  const facade::Uuid7Parts parts = facade::decode_uuid7(utf8(layout), uuid);
  return py::make_tuple(parts.time_ms, parts.tick, parts.sequence, parts.node, parts.tail);
}

py::tuple parts_of_object_id(const py::bytes& object_id) {
  const facade::ObjectIdParts parts = facade::decode_object_id(object_id);
  return py::make_tuple(parts.time_ms, parts.process, parts.counter);
}

py::tuple parse_kind(const py::str& text, const std::vector<std::string>& own) {
  const facade::KindText kind = facade::parse_kind(utf8(text), own);
  return py::make_tuple(kind.name, kind.has_store ? py::object(py::str(kind.store)) : py::none());
}

}  // namespace

void bind_kinds(py::module_& module) {
  module.def("execution", &facade::execution);
  module.def("parse_kind", &parse_kind, py::arg("text"), py::arg("own"));
  module.def("built_in_kinds", &facade::built_in_kinds);
  module.def(
      "check_new_kind",
      [](const py::str& name, const std::vector<std::string>& own) { facade::check_new_kind(utf8(name), own); },
      py::arg("name"), py::arg("own"));
  module.def(
      "parse_uuid", [](const py::str& text) { return py::bytes(facade::parse_uuid(utf8(text))); }, py::arg("text"));
  module.def(
      "parse_object_id", [](const py::str& text) { return py::bytes(facade::parse_object_id(utf8(text))); },
      py::arg("text"));
  module.def("decode_uuid7", &parts_of_uuid7, py::arg("layout"), py::arg("uuid"));
  module.def("decode_object_id", &parts_of_object_id, py::arg("object_id"));
  module.def("first_uuid7", [](std::int64_t ms) { return py::bytes(facade::first_uuid7(ms)); }, py::arg("time_ms"));
  module.def("last_uuid7", [](std::int64_t ms) { return py::bytes(facade::last_uuid7(ms)); }, py::arg("time_ms"));
  module.def(
      "first_object_id", [](std::int64_t ms) { return py::bytes(facade::first_object_id(ms)); }, py::arg("time_ms"));
  module.def(
      "last_object_id", [](std::int64_t ms) { return py::bytes(facade::last_object_id(ms)); }, py::arg("time_ms"));
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
