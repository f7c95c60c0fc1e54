// Private ids: plain C methods, as for codecs. The codec's name may be a positional or a named
// argument.
#include "ids.hpp"

#include <memory>
#include <optional>

#include <pybind11/stl.h>

namespace polyflake::python {
namespace {

// Returns the bytes of a buffer, which is contiguous: the package has checked that.
facade::Bytes bytes_in(py::handle object) {
  Py_buffer view;
  if (PyObject_GetBuffer(object.ptr(), &view, PyBUF_SIMPLE) != 0) throw py::error_already_set();
  const std::unique_ptr<Py_buffer, decltype(&PyBuffer_Release)> released(&view, &PyBuffer_Release);
  return {view.buf, static_cast<std::size_t>(view.len)};
}

using OptionalText = std::optional<py::str>;

std::string text_in(const OptionalText& text) { return text ? utf8(*text) : std::string(); }

// Takes the key, or the path of its file, in the bytes of the file system. Handles: claim.cpp gives
// the reason.
facade::Seal made(bool in_file, py::handle key_or_path, py::handle tweak, std::int64_t bits, py::handle key_id) {
  const facade::Bytes given = bytes_in(key_or_path);
  const facade::Bytes tweak_bytes = bytes_in(tweak);
  const bool has_key_id = !key_id.is_none();
  const std::string id = has_key_id ? utf8(py::reinterpret_borrow<py::str>(key_id)) : std::string();
  if (!in_file) return facade::Seal(given, tweak_bytes, bits, has_key_id, id);
  std::optional<facade::Seal> seal;
  without_gil([&] { seal.emplace(facade::Seal::from_file(given, tweak_bytes, bits, has_key_id, id)); });
  return *std::move(seal);
}

// Reads (value, codec="base62"), and nothing else.
bool read_call(PyObject* arguments, PyObject* names, const char* format, PyObject** value, std::string& codec) {
  static const char* const keywords[] = {"", "codec", nullptr};
  PyObject* name = nullptr;
  if (PyArg_ParseTupleAndKeywords(arguments, names, format, const_cast<char**>(keywords), value, &name) == 0) {
    return false;
  }
  if (name == nullptr) {
    codec = "base62";
    return true;
  }
  if (PyUnicode_Check(name) != 0) return succeeds([&] { codec = utf8(py::reinterpret_borrow<py::str>(name)); });
  return succeeds([] { facade::raise("option_invalid", "the name of a codec must be a str"); });
}

template <typename T, typename Call>
PyObject* number_of(PyObject* self, PyObject* value, Call call) {
  const T* const sealing = value_in<T>(self);
  std::uint64_t number = 0;
  if (sealing == nullptr || !read_id(value, number) || !succeeds([&] { number = call(*sealing, number); }))
    return nullptr;
  return PyLong_FromUnsignedLongLong(number);
}

template <typename T>
PyObject* seal(PyObject* self, PyObject* value) {
  return number_of<T>(self, value, [](const T& sealing, std::uint64_t id) { return sealing.seal(id); });
}

PyObject* unseal(PyObject* self, PyObject* value) {
  return number_of<facade::Seal>(self, value,
                                 [](const facade::Seal& seal, std::uint64_t id) { return seal.unseal(id); });
}

template <typename T>
PyObject* encode(PyObject* self, PyObject* arguments, PyObject* names) {
  const T* const sealing = value_in<T>(self);
  PyObject* value = nullptr;
  std::string codec;
  std::uint64_t id = 0;
  std::string text;
  if (sealing == nullptr || !read_call(arguments, names, "O|O:encode", &value, codec) || !read_id(value, id))
    return nullptr;
  if (!succeeds([&] { text = sealing->encode(id, codec); })) return nullptr;
  return str_of(text);
}

template <typename T>
PyObject* decode(PyObject* self, PyObject* arguments, PyObject* names) {
  const T* const sealing = value_in<T>(self);
  PyObject* value = nullptr;
  std::string codec;
  std::string text;
  std::uint64_t id = 0;
  if (sealing == nullptr || !read_call(arguments, names, "O|O:decode", &value, codec) || !read_text(value, text))
    return nullptr;
  if (!succeeds([&] { id = sealing->decode(text, codec); })) return nullptr;
  return PyLong_FromUnsignedLongLong(id);
}

template <typename T>
PyObject* encode_many(PyObject* self, PyObject* arguments, PyObject* names) {
  const T* const sealing = value_in<T>(self);
  PyObject* values = nullptr;
  std::string codec;
  std::vector<std::uint64_t> ids;
  std::vector<std::string> texts;
  if (sealing == nullptr || !read_call(arguments, names, "O|O:encode_many", &values, codec)) return nullptr;
  if (!read_all(values, ids) || !succeeds_without_gil([&] { texts = sealing->encode_many(ids, codec); }))
    return nullptr;
  return list_of(texts);
}

template <typename T>
PyObject* decode_many(PyObject* self, PyObject* arguments, PyObject* names) {
  const T* const sealing = value_in<T>(self);
  PyObject* values = nullptr;
  std::string codec;
  std::vector<std::string> texts;
  std::vector<std::uint64_t> ids;
  if (sealing == nullptr || !read_call(arguments, names, "O|O:decode_many", &values, codec)) return nullptr;
  if (!read_all(values, texts) || !succeeds_without_gil([&] { ids = sealing->decode_many(texts, codec); }))
    return nullptr;
  return list_of(ids);
}

PyCFunction with_keywords(PyObject* (*method)(PyObject*, PyObject*, PyObject*)) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(method));
}

constexpr int kKeywords = METH_VARARGS | METH_KEYWORDS;

template <typename T>
PyMethodDef* shared_methods() {
  static PyMethodDef methods[] = {
      {"seal", seal<T>, METH_O,
       "seal($self, id, /)\n--\n\n"
       "Returns the sealed form of an id, a number of as many bits as the seal has.\n\n"
       "Errors: id_out_of_range (not an id, or 2**63 or more with 63 bits). Thread safety: any\n"
       "thread."},
      {"encode", with_keywords(encode<T>), kKeywords,
       "encode($self, id, /, codec='base62')\n--\n\n"
       "Returns the sealed form of an id as text of this codec at its full width.\n\n"
       "The key id, if there is one, comes first. Errors: as seal(); option_invalid (unknown codec).\n"
       "Thread safety: any thread."},
      {"decode", with_keywords(decode<T>), kKeywords,
       "decode($self, text, /, codec='base62')\n--\n\n"
       "Returns the id of a text that encode() gave.\n\n"
       "Any other well-formed text gives some id, too: look it up. Errors: option_invalid (unknown\n"
       "codec); with the position of the wrong character text_invalid (also for an unknown key id),\n"
       "id_out_of_range (2**64 or more; 2**63 or more with 63 bits). Thread safety: any thread."},
      {"encode_many", with_keywords(encode_many<T>), kKeywords,
       "encode_many($self, ids, /, codec='base62')\n--\n\n"
       "Returns the texts of all ids of an iterable, as a list.\n\n"
       "Errors: as encode(); the message has the index of the id. Thread safety: any thread."},
      {"decode_many", with_keywords(decode_many<T>), kKeywords,
       "decode_many($self, texts, /, codec='base62')\n--\n\n"
       "Returns the ids of all texts of an iterable, as a list.\n\n"
       "Errors: as decode(); the message has the index of the text. Thread safety: any thread."},
      {},
  };
  return methods;
}

PyMethodDef unseal_method = {"unseal", unseal, METH_O,
                             "unseal($self, sealed, /)\n--\n\n"
                             "Returns the id of a sealed form. Any other number gives some id, too: look it up.\n\n"
                             "Errors: id_out_of_range (2**63 or more with 63 bits). Thread safety: any thread."};

template <typename T>
void add_methods(const py::class_<T>& bound) {
  for (PyMethodDef* method = shared_methods<T>(); method->ml_name != nullptr; ++method) add_method(bound, *method);
}

}  // namespace

void bind_seal(py::module_& module) {
  py::class_<facade::Seal> seal(module, "Seal");
  seal.def(py::init(&made), py::arg("in_file"), py::arg("key_or_path"), py::arg("tweak"), py::arg("bits"),
           py::arg("key_id"))
      .def_property_readonly("bits", reader(&facade::Seal::bits), "63 or 64.")
      .def_property_readonly(
          "key_id",
          [](py::handle self) {
            const auto& asked = value_of<facade::Seal>(self);
            return asked.has_key_id() ? std::optional(asked.key_id()) : std::nullopt;
          },
          "The text before each sealed text; None for none.");
  add_methods(seal);
  add_method(seal, unseal_method);

  py::class_<facade::SealRing> ring(module, "SealRing");
  ring.def(py::init([](const py::list& seals) {
             facade::Seals all;
             for (const py::handle one : seals) {
               all.add(value_of<facade::Seal>(one));
             }
             return facade::SealRing(all);
           }),
           py::arg("seals"))
      .def(
          "_unseal",
          [](py::handle self, std::uint64_t sealed, const OptionalText& key_id) {
            return value_of<facade::SealRing>(self).unseal(sealed, key_id.has_value(), text_in(key_id));
          },
          py::arg("sealed"), py::arg("key_id"));
  add_methods(ring);
}

}  // namespace polyflake::python
