// Plain C methods on bound classes: for calls that take less time than the dispatch of overloads and arguments would.
//
// A method descriptor (METH_NOARGS, METH_O) is given `self` as it is, and tells of failures by null.
#pragma once

#include "binding.hpp"

namespace polyflake::python {

// The value inside a bound object; null, with a Python error, where __init__ never ran.
template <typename T>
T* value_in(PyObject* self) {
  auto* const instance = reinterpret_cast<py::detail::instance*>(self);
  void* value = nullptr;
  if (instance->simple_layout) {
    value = instance->simple_value_holder[0];
  } else {  // a class that inherits from other extension classes too
    value = instance->get_value_and_holder(py::detail::get_type_info(typeid(T))).value_ptr();
  }
  if (value == nullptr) PyErr_Format(PyExc_TypeError, "%s.__init__() was not called", Py_TYPE(self)->tp_name);
  return static_cast<T*>(value);
}

// The same for functions that pybind11 calls: by itself it would make up a value where __init__ never ran.
template <typename T>
T& value_of(py::handle self) {
  if (!py::isinstance<T>(self)) throw py::type_error("self is of another class");
  T* const value = value_in<T>(self.ptr());
  if (value == nullptr) throw py::error_already_set();
  return *value;
}

// What reads a property of a bound object.
template <typename T, typename Value>
auto reader(Value (T::*read)() const) {
  return [read](py::handle self) { return (value_of<T>(self).*read)(); };
}

// Runs a call of the facade with the GIL held; false, with a Python error, where it threw.
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

// As succeeds(), for a call that may block or takes long, without the GIL.
template <typename Call>
bool succeeds_without_gil(Call call) {
  const std::exception_ptr failure = failure_without_gil(call);
  return failure == nullptr || succeeds([&] { std::rethrow_exception(failure); });
}

// A list of what make(i) gives for each i below n; null, with a Python error, where one is null.
template <typename Make>
PyObject* list_of(std::size_t n, Make make) {
  PyObject* const list = PyList_New(static_cast<Py_ssize_t>(n));
  if (list == nullptr) return nullptr;
  // The collector, which new objects may set going, shows what it tracks to whoever asks: not this with its empty places.
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

// Places the method on the class; it must live as long as the module.
void add_method(py::handle bound_class, PyMethodDef& method);

}  // namespace polyflake::python
