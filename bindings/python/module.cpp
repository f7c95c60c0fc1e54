// The extension module polyflake._core: private; the package polyflake is what users import.
#include "binding.hpp"

#include <pybind11/stl.h>

namespace polyflake::python {
namespace {

void translate(std::exception_ptr exception) {
  try {
    if (exception) std::rethrow_exception(exception);
  } catch (const py::error_already_set&) {
    throw;
  } catch (const py::builtin_exception&) {
    throw;
  } catch (...) {
    set_python_error();
  }
}

py::dict error_kinds() {
  py::dict kinds;
  for (const facade::Failure& row : facade::error_table()) kinds[py::str(row.code)] = row.kind;
  return kinds;
}

void release_all() {
  without_gil([] { facade::release_all(); });
}

void bind_functions(py::module_& module) {
  module.def("version", &facade::version);
  module.def("preset_names", &facade::preset_names);
  module.def("error_kinds", &error_kinds);
  module.def("fail", &facade::raise, py::arg("code"), py::arg("message"));
  module.def("take_warning", &facade::take_warning);
  module.def("release_all", &release_all);
  module.def(
      "to_text", [](std::uint64_t id, const py::str& codec) { return facade::to_text(id, utf8(codec)); }, py::arg("id"),
      py::arg("codec"));
  module.def(
      "from_text", [](const py::str& text, const py::str& codec) { return facade::from_text(utf8(text), utf8(codec)); },
      py::arg("text"), py::arg("codec"));
}

}  // namespace

// The state behind generators is one per process and safe from any thread, so neither the GIL nor
// "one interpreter only" is asked for.
PYBIND11_MODULE(_core, module, py::mod_gil_not_used(), py::multiple_interpreters::per_interpreter_gil()) {
  py::register_local_exception_translator(&translate);
  bind_functions(module);
  bind_layout(module);
  bind_lease(module);
  bind_generator(module);
  add_shortcuts(module);
}

}  // namespace polyflake::python
