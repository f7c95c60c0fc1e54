#include "ids.hpp"

#include "methods.hpp"

namespace polyflake::python {
namespace {

// Returns the result of a check of the package for a value, as a new reference; null, with a Python
// error, if the check refuses the value.
template <typename... Arguments>
PyObject* checked(const char* check, const char* format, Arguments... arguments) {
  PyObject* const module = PyImport_ImportModule("polyflake._arguments");
  if (module == nullptr) return nullptr;
  PyObject* const value = PyObject_CallMethod(module, check, format, arguments...);
  Py_DECREF(module);
  return value;
}

// Returns a tuple of the values: reading one may run code that changes a list, and so may other
// threads.
PyObject* snapshot(PyObject* values, const char* what, const char* code) {
  if (PyList_CheckExact(values) != 0 || PyTuple_CheckExact(values) != 0) return PySequence_Tuple(values);
  return checked("listed", "sOs", what, values, code);
}

// Adds the index in the list to a refusal. Other exceptions, raised by the code of a value, are
// kept.
void say_which(const char* what, Py_ssize_t index) {
  succeeds([&] {
    py::error_already_set raised;
    PyObject* const refusal = checked("refusal_of", "snO", what, index, raised.value().ptr());
    if (refusal == Py_None) {
      raised.restore();
    } else if (refusal != nullptr) {
      PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(refusal)), refusal);
    }
    Py_XDECREF(refusal);
  });
}

template <typename T>
bool read_all_of(PyObject* tuple, const char* what, bool (*read)(PyObject*, T&), std::vector<T>& values) {
  if (tuple == nullptr) return false;
  const Py_ssize_t size = PyTuple_GET_SIZE(tuple);
  bool all = succeeds([&] { values.resize(static_cast<std::size_t>(size)); });
  for (Py_ssize_t i = 0; all && i < size; ++i) {
    all = read(PyTuple_GET_ITEM(tuple, i), values[static_cast<std::size_t>(i)]);
    if (!all) say_which(what, i);
  }
  Py_DECREF(tuple);
  return all;
}

template <typename T, typename Convert>
PyObject* list_of_all(const std::vector<T>& values, Convert convert) {
  return list_of(values.size(), [&](std::size_t i) { return convert(values[i]); });
}

}  // namespace

bool read_id(PyObject* value, std::uint64_t& id) {
  if (PyLong_CheckExact(value) != 0) {
    id = PyLong_AsUnsignedLongLong(value);
    if (PyErr_Occurred() == nullptr) return true;
    PyErr_Clear();  // too large, or negative
  }
  // A tuple would be all arguments of "O".
  PyObject* const number = checked("id_number", "(O)", value);
  if (number == nullptr) return false;
  id = PyLong_AsUnsignedLongLong(number);
  Py_DECREF(number);
  return PyErr_Occurred() == nullptr;
}

bool read_text(PyObject* value, std::string& text) {
  if (PyUnicode_Check(value) == 0) {
    Py_XDECREF(checked("text", "sOs", "the text of an id", value, "text_invalid"));
    return false;
  }
  if (PyUnicode_IS_COMPACT_ASCII(value) == 0) {
    return succeeds([&] { text = utf8(py::reinterpret_borrow<py::str>(value)); });
  }
  return succeeds([&] {
    text.assign(static_cast<const char*>(PyUnicode_DATA(value)), static_cast<std::size_t>(PyUnicode_GET_LENGTH(value)));
  });
}

bool read_all(PyObject* values, std::vector<std::uint64_t>& ids) {
  return read_all_of(snapshot(values, "ids", "id_out_of_range"), "id", read_id, ids);
}

bool read_all(PyObject* values, std::vector<std::string>& texts) {
  return read_all_of(snapshot(values, "texts", "text_invalid"), "text", read_text, texts);
}

PyObject* str_of(const std::string& text) {
  return PyUnicode_FromStringAndSize(text.data(), static_cast<Py_ssize_t>(text.size()));
}

PyObject* list_of(const std::vector<std::uint64_t>& ids) {
  return list_of_all(ids, [](std::uint64_t id) { return PyLong_FromUnsignedLongLong(id); });
}

PyObject* list_of(const std::vector<std::string>& texts) { return list_of_all(texts, str_of); }

}  // namespace polyflake::python
