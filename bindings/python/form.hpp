// PythonForm: the Python form of ids of other kinds: uuid.UUID, text, or int.
//
// This makes a uuid.UUID without its constructor, which takes ten times as long: it takes memory
// from the class and sets its two slots by their descriptors.
#pragma once

#include <cstring>
#include <memory>

#include "binding.hpp"

namespace polyflake::python {

// Makes uuid.UUID objects. Belongs to one interpreter. Requires: its GIL.
class UuidClass {
 public:
  UuidClass() {
    const py::module_ module = py::module_::import("uuid");
    class_ = module.attr("UUID");
    number_ = class_.attr("int");
    safety_ = class_.attr("is_safe");
    unknown_ = module.attr("SafeUUID").attr("unknown");
    for (const py::object& slot : {number_, safety_}) {
      if (Py_TYPE(slot.ptr())->tp_descr_set == nullptr) throw py::type_error("uuid.UUID has no slots");
    }
  }

  // Returns null, with a Python error, if memory runs out.
  PyObject* make(const unsigned char* bytes) const {
    auto* const type = reinterpret_cast<PyTypeObject*>(class_.ptr());
    PyObject* const uuid = type->tp_alloc(type, 0);
    PyObject* const number = uuid == nullptr ? nullptr : number_of(bytes);
    const bool made = number != nullptr && set(number_, uuid, number) && set(safety_, uuid, unknown_.ptr());
    Py_XDECREF(number);
    if (made) return uuid;
    Py_XDECREF(uuid);
    return nullptr;
  }

 private:
  static constexpr std::size_t kBytes = 16;

  static PyObject* number_of(const unsigned char* bytes) {
#if PY_VERSION_HEX >= 0x030D0000
    return PyLong_FromUnsignedNativeBytes(bytes, kBytes, Py_ASNATIVEBYTES_BIG_ENDIAN);
#else
    return _PyLong_FromByteArray(bytes, kBytes, 0, 0);
#endif
  }
  static bool set(const py::object& slot, PyObject* uuid, PyObject* value) {
    return Py_TYPE(slot.ptr())->tp_descr_set(slot.ptr(), uuid, value) == 0;
  }

  py::object class_, number_, safety_, unknown_;
};

// The Python form of the ids of a source: a uuid.UUID, text, or an int.
class PythonForm {
 public:
  // Requires: the source lives as long.
  explicit PythonForm(const facade::Source& source) : source_(source) {
    if (source.has_uuids()) uuids_ = std::make_unique<UuidClass>();
  }

  std::size_t id_bytes() const { return source_.id_bytes(); }

  bool is_number() const { return source_.text_length() == 0; }

  PyObject* value(const unsigned char* id) const {
    if (is_number()) return PyLong_FromUnsignedLongLong(number(id));
    return uuids_ != nullptr ? uuids_->make(id) : text(id);
  }

  PyObject* text(const unsigned char* id) const {
    if (is_number()) {
      char digits[facade::kLongestDecimal];
      const std::size_t length = facade::write_decimal(number(id), digits);
      return PyUnicode_FromStringAndSize(digits, static_cast<Py_ssize_t>(length));
    }
    char text[facade::kMostIdText];
    source_.write_text(id, text);
    return PyUnicode_FromStringAndSize(text, static_cast<Py_ssize_t>(source_.text_length()));
  }

 private:
  static std::uint64_t number(const unsigned char* id) {
    std::uint64_t number = 0;
    std::memcpy(&number, id, sizeof number);
    return number;
  }

  const facade::Source& source_;
  std::unique_ptr<UuidClass> uuids_;
};

}  // namespace polyflake::python
