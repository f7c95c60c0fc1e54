// How ids of other kinds look in Python: uuid.UUID, or text.
//
// A uuid.UUID is made here without its constructor, which takes ten times as long: memory from the class, and its two
// slots by their descriptors.
#pragma once

#include <memory>

#include "binding.hpp"

namespace polyflake::python {

// Makes uuid.UUID objects. Of one interpreter, and used with its GIL.
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

  // Null, with a Python error, where memory ran out.
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
  static PyObject* number_of(const unsigned char* bytes) {
#if PY_VERSION_HEX >= 0x030D0000
    return PyLong_FromUnsignedNativeBytes(bytes, facade::kUuidBytes, Py_ASNATIVEBYTES_BIG_ENDIAN);
#else
    return _PyLong_FromByteArray(bytes, facade::kUuidBytes, 0, 0);
#endif
  }
  static bool set(const py::object& slot, PyObject* uuid, PyObject* value) {
    return Py_TYPE(slot.ptr())->tp_descr_set(slot.ptr(), uuid, value) == 0;
  }

  py::object class_, number_, safety_, unknown_;
};

// How the ids of a source look: 16 bytes are a UUID, 12 an ObjectId.
class Look {
 public:
  explicit Look(std::size_t id_bytes) : id_bytes_(id_bytes) {
    if (is_uuid()) uuids_ = std::make_unique<UuidClass>();
  }

  std::size_t id_bytes() const { return id_bytes_; }

  PyObject* value(const unsigned char* id) const { return is_uuid() ? uuids_->make(id) : text(id); }

  PyObject* text(const unsigned char* id) const {
    char text[facade::kUuidText];
    is_uuid() ? facade::write_uuid(id, text) : facade::write_object_id(id, text);
    const std::size_t length = is_uuid() ? facade::kUuidText : facade::kObjectIdText;
    return PyUnicode_FromStringAndSize(text, static_cast<Py_ssize_t>(length));
  }

 private:
  bool is_uuid() const { return id_bytes_ == facade::kUuidBytes; }

  const std::size_t id_bytes_;
  std::unique_ptr<UuidClass> uuids_;
};

}  // namespace polyflake::python
