#include "binding.hpp"

namespace polyflake::python {

void set_python_error() noexcept {
  const facade::Failure failure = facade::current_failure(facade::Spelling::snake);
  if (failure.code == "out_of_memory") {
    PyErr_NoMemory();
    return;
  }
  if (failure.kind.empty()) {
    PyErr_SetString(PyExc_RuntimeError, failure.message.c_str());
    return;
  }
  // Imported at each failure: a reference kept in here would be wrong in another interpreter.
  PyObject* const errors = PyImport_ImportModule("polyflake.errors");
  if (errors == nullptr) return;
  PyObject* const error = PyObject_CallMethod(errors, "_from_core", "sssL", failure.kind.c_str(), failure.code.c_str(),
                                              failure.message.c_str(), static_cast<long long>(failure.position));
  Py_DECREF(errors);
  if (error == nullptr) return;
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error)), error);
  Py_DECREF(error);
}

}  // namespace polyflake::python
