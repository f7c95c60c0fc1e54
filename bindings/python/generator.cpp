// The bound classes around a generator. The calls that issue ids are in claim.cpp.
#include "issuing.hpp"

#include <memory>

#include <pybind11/stl.h>

namespace polyflake::python {
namespace {

std::unique_ptr<facade::Generator> open(const facade::Options& options) {
  std::unique_ptr<facade::Generator> generator;
  without_gil([&] { generator = std::make_unique<facade::Generator>(options); });
  return generator;
}

}  // namespace

py::dict dict_of(const polyflake::Stats& stats) {
  py::dict dict;
  stats.each([&](const char* name, auto value) { dict[name] = value; });
  return dict;
}

void bind_generator(py::module_& module) {
  py::class_<facade::ManualClock>(module, "ManualClock", py::is_final())
      .def(py::init<std::int64_t>(), py::arg("time_ms"))
      .def("set", &facade::ManualClock::set, py::arg("time_ms"))
      .def("advance", &facade::ManualClock::advance, py::arg("ms"))
      .def_property_readonly("time_ms", &facade::ManualClock::time_ms);

  py::class_<facade::Options>(module, "Options", py::is_final())
      .def(py::init<>())
      .def("set_layout", [](facade::Options& options, const py::str& text) { options.set_layout(utf8(text)); })
      .def("set_worker_number", &facade::Options::set_worker_number)
      .def("set_worker_fields",
           [](facade::Options& options, const std::vector<py::str>& names, const std::vector<std::int64_t>& values) {
             options.set_worker_fields(utf8(names), values);
           })
      .def("set_worker_text",
           [](facade::Options& options, const py::str& source) { options.set_worker_text(utf8(source)); })
      .def("set_worker_lease", &facade::Options::set_worker_lease)
      .def("set_counter", &facade::Options::set_counter)
      .def("set_number", &facade::Options::set_number)
      .def("set_ordering",
           [](facade::Options& options, const py::str& ordering) { options.set_ordering(utf8(ordering)); })
      .def("set_clock", &facade::Options::set_clock)
      .def("set_kind", &facade::Options::set_kind)
      .def("set_entropy", [](facade::Options& options, const py::bytes& words) { options.set_entropy(words); });

  py::class_<facade::Generator> generator(module, "Generator");
  generator.def(py::init(&open), py::arg("options"));
  add_calls_of_sources(generator);
  add_calls_of_positions(generator);
  add_issuing_methods(generator);
}

}  // namespace polyflake::python
