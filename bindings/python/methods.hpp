// Plain C methods on bound classes: for calls that take less time than pybind11's dispatch of
// overloads and arguments.
//
// A method descriptor (METH_NOARGS, METH_O) gets `self` as it is, and reports failures by null.
#pragma once

#include "binding.hpp"

namespace polyflake::python {

// The same as value_in(), if __init__ never ran, or for a class that also inherits from other
// extension classes.
[[gnu::noinline]] void* value_of_uncommon(PyObject* self, const std::type_info& type);

// Returns the value inside a bound object; null, with a Python error, if __init__ never ran.
template <typename T>
T* value_in(PyObject* self) {
  auto* const instance = reinterpret_cast<py::detail::instance*>(self);
  void* value = instance->simple_layout ? instance->simple_value_holder[0] : nullptr;
  if (value == nullptr) value = value_of_uncommon(self, typeid(T));
  return static_cast<T*>(value);
}

// The same for functions that pybind11 calls. Throws TypeError if __init__ never ran, for which
// pybind11 alone would make up a value. A traceback printer that shows the locals of a failed
// constructor can cause that.
template <typename T>
T& value_of(py::handle self) {
  if (!py::isinstance<T>(self)) throw py::type_error("self is of another class");
  T* const value = value_in<T>(self.ptr());
  if (value == nullptr) throw py::error_already_set();
  return *value;
}

// Returns a function that reads a property of a bound object.
template <typename T, typename Value>
auto reader(Value (T::*read)() const) {
  return [read](py::handle self) { return (value_of<T>(self).*read)(); };
}

// Runs a call of the facade with the GIL held. Returns false, with a Python error, if it threw.
template <typename Call>
bool succeeds(Call call) {
  try {
    call();
    return true;
  } catch (...) {
    set_python_error();
    return false;
  }
}

// Like succeeds(), without the GIL, for a call that may block or takes long.
template <typename Call>
bool succeeds_without_gil(Call call) {
  const std::exception_ptr failure = failure_without_gil(call);
  return failure == nullptr || succeeds([&] { std::rethrow_exception(failure); });
}

// Returns a list of make(i) for each i below n; null, with a Python error, if one of them is null.
template <typename Make>
PyObject* list_of(std::size_t n, Make make) {
  PyObject* const list = PyList_New(static_cast<Py_ssize_t>(n));
  if (list == nullptr) return nullptr;
  // New objects may start the collector, which shows tracked objects to any caller: this list must
  // not be seen with empty elements.
  PyObject_GC_UnTrack(list);
  for (std::size_t i = 0; i < n; ++i) {
    PyObject* const item = make(i);
    if (item == nullptr) {
      Py_DECREF(list);
      return nullptr;
    }
    PyList_SET_ITEM(list, static_cast<Py_ssize_t>(i), item);
  }
  PyObject_GC_Track(list);
  return list;
}

// Adds the method to the class. Requires: it exists as long as the module.
void add_method(py::handle bound_class, PyMethodDef& method);

}  // namespace polyflake::python
