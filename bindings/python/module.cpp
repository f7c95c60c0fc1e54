// The extension module polyflake._core: private; the package polyflake is what users import.
#include "methods.hpp"

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
  module.def("quoted", [](const py::str& untrusted) { return facade::quoted(utf8(untrusted)); }, py::arg("untrusted"));
  module.def("take_warning", &facade::take_warning);
  module.def("release_all", &release_all);
  module.def(
      "closest",
      [](const py::str& given, const std::vector<std::string>& known) { return facade::closest(utf8(given), known); },
      py::arg("given"), py::arg("known"));
  module.def(
      "to_text", [](std::uint64_t id, const py::str& codec) { return facade::to_text(id, utf8(codec)); }, py::arg("id"),
      py::arg("codec"));
  module.def(
      "from_text", [](const py::str& text, const py::str& codec) { return facade::from_text(utf8(text), utf8(codec)); },
      py::arg("text"), py::arg("codec"));
  module.def("id_from_text", [](const py::str& text) { return facade::id_from_text(utf8(text)); }, py::arg("text"));
}

// Without this, pybind11's base class ends the process if pickle's protocols 0 and 1 create an
// object of it. Classes of the package that can be pickled have their own.
PyObject* refuse_to_pickle(PyObject* self, PyObject*) {
  return PyErr_Format(PyExc_TypeError, "cannot pickle '%s' object", Py_TYPE(self)->tp_name);
}

PyMethodDef reduce_method = {"__reduce__", refuse_to_pickle, METH_NOARGS, nullptr};

void refuse_to_pickle_classes(const py::module_& module) {
  for (const auto& item : module.attr("__dict__").cast<py::dict>()) {
    if (py::isinstance<py::type>(item.second)) add_method(item.second, reduce_method);
  }
}

// Returns true below Python 3.12 in any interpreter but the main one: pybind11 takes the GIL by
// PyGILState_Ensure(), which waits for itself there.
bool would_hang() { return PY_VERSION_HEX < 0x030C0000 && PyInterpreterState_Get() != PyInterpreterState_Main(); }

}  // namespace

void* value_of_uncommon(PyObject* self, const std::type_info& type) {
  auto* const instance = reinterpret_cast<py::detail::instance*>(self);
  void* const value =
      instance->simple_layout ? nullptr : instance->get_value_and_holder(py::detail::get_type_info(type)).value_ptr();
  if (value == nullptr) PyErr_Format(PyExc_TypeError, "%s.__init__() was not called", Py_TYPE(self)->tp_name);
  return value;
}

void add_method(py::handle bound_class, PyMethodDef& method) {
  const auto descriptor =
      py::reinterpret_steal<py::object>(PyDescr_NewMethod(reinterpret_cast<PyTypeObject*>(bound_class.ptr()), &method));
  if (!descriptor) throw py::error_already_set();
  py::setattr(bound_class, method.ml_name, descriptor);
}

// The state behind generators is one per process and safe from any thread, so the module requires
// neither the GIL nor a single interpreter.
PYBIND11_MODULE(_core_anywhere, module, py::mod_gil_not_used(), py::multiple_interpreters::per_interpreter_gil()) {
  py::register_local_exception_translator(&translate);
  bind_functions(module);
  bind_codec(module);
  bind_explain(module);
  bind_sqids(module);
  bind_layout(module);
  bind_lease(module);
  bind_generator(module);
  bind_kinds(module);
  bind_sources(module);
  bind_seal(module);
  bind_tickets(module);
  bind_command(module);
  add_shortcuts(module);
  refuse_to_pickle_classes(module);
}

PyMODINIT_FUNC PyInit__core() {  // NOLINT: the name is Python's
  if (!would_hang()) return PyInit__core_anywhere();
  PyErr_SetString(PyExc_ImportError,
                  "polyflake needs Python 3.12 in a subinterpreter; here the main interpreter alone can "
                  "import it (mod_wsgi: WSGIApplicationGroup %{GLOBAL})");
  return nullptr;
}

}  // namespace polyflake::python
