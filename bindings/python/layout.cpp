#include "binding.hpp"

#include <pybind11/stl.h>

namespace polyflake::python {
namespace {

using Texts = std::vector<py::str>;
using Values = std::vector<std::int64_t>;

std::uint64_t encode_tick(const facade::Layout& layout, std::int64_t tick, std::int64_t sequence, const Texts& names,
                          const Values& values) {
  return layout.encode_tick(tick, sequence, utf8(names), values);
}

std::uint64_t encode_time(const facade::Layout& layout, std::int64_t time_ms, std::int64_t sequence, const Texts& names,
                          const Values& values) {
  return layout.encode_time(time_ms, sequence, utf8(names), values);
}

py::tuple fields(const facade::Layout& layout) {
  const std::vector<std::string> names = layout.field_names();
  const std::vector<int> widths = layout.field_widths();
  py::list pairs;
  for (std::size_t i = 0; i < names.size(); ++i) pairs.append(py::make_tuple(names[i], widths[i]));
  return py::tuple(pairs);
}

py::tuple parts_of(const facade::Layout& layout, std::uint64_t id) {
  return tuple_of(layout.decode(id), layout.node_fields());
}

std::int64_t friendly_local_seconds(const facade::Layout& layout, const py::str& text) {
  return layout.friendly_local_seconds(utf8(text));
}

std::uint64_t from_friendly(const facade::Layout& layout, const py::str& text, const Values& utc_offsets) {
  return layout.from_friendly(utf8(text), utc_offsets);
}

}  // namespace

py::tuple tuple_of(const Parts& parts, const std::vector<std::string>& node_fields) {
  py::dict values;
  for (std::size_t i = 0; i < node_fields.size(); ++i) values[py::str(node_fields[i])] = parts.fields[i];
  return py::make_tuple(parts.time_ms, parts.tick, parts.sequence, parts.node, values);
}

void bind_layout(py::module_& module) {
  py::class_<facade::Layout>(module, "Layout", py::is_final())
      .def(py::init([](const py::str& text) { return facade::Layout(utf8(text)); }), py::arg("text_or_preset"))
      .def_property_readonly("text", &facade::Layout::text)
      .def_property_readonly("fields", &fields)
      .def_property_readonly("tick_ms", &facade::Layout::tick_ms)
      .def_property_readonly("epoch_ms", &facade::Layout::epoch_ms)
      .def("encode_tick", &encode_tick, py::arg("tick"), py::arg("sequence"), py::arg("names"), py::arg("values"))
      .def("encode_time", &encode_time, py::arg("time_ms"), py::arg("sequence"), py::arg("names"), py::arg("values"))
      .def("decode", &parts_of, py::arg("id"))
      .def("first_id", &facade::Layout::first_id, py::arg("time_ms"))
      .def("last_id", &facade::Layout::last_id, py::arg("time_ms"))
      .def("friendly", &facade::Layout::friendly, py::arg("id"), py::arg("utc_offset_seconds"))
      .def("friendly_local_seconds", &friendly_local_seconds, py::arg("text"))
      .def("from_friendly", &from_friendly, py::arg("text"), py::arg("utc_offsets"));
}

}  // namespace polyflake::python
