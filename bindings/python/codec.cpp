// Codecs. Encoding takes less time than the dispatch of a bound method, so the calls are plain C
// methods.
#include "ids.hpp"
#include "methods.hpp"

#include <optional>

#include <pybind11/stl.h>

namespace polyflake::python {
namespace {

const facade::Codec* native(PyObject* self) { return value_in<facade::Codec>(self); }

// Returns the text that `encode` writes, with its length.
template <typename Encode>
PyObject* text_of(Encode encode) {
  char text[polyflake::Codec::kLongest];
  std::size_t length = 0;
  if (!succeeds([&] { length = encode(text); })) return nullptr;
  return PyUnicode_FromStringAndSize(text, static_cast<Py_ssize_t>(length));
}

PyObject* encode(PyObject* self, PyObject* value) {
  const facade::Codec* const codec = native(self);
  std::uint64_t id = 0;
  if (codec == nullptr || !read_id(value, id)) return nullptr;
  return text_of([&](char* text) { return codec->core().encode(id, text); });
}

PyObject* decode(PyObject* self, PyObject* value) {
  const facade::Codec* const codec = native(self);
  std::string text;
  std::uint64_t id = 0;
  if (codec == nullptr || !read_text(value, text) || !succeeds([&] { id = codec->decode(text); })) return nullptr;
  return PyLong_FromUnsignedLongLong(id);
}

PyObject* encode_many(PyObject* self, PyObject* ids) {
  const facade::Codec* const codec = native(self);
  std::vector<std::uint64_t> numbers;
  if (codec == nullptr || !read_all(ids, numbers)) return nullptr;
  return list_of(numbers.size(), [&](std::size_t i) {
    return text_of([&](char* text) { return codec->encode_one_of(numbers, i, text); });
  });
}

PyObject* decode_many(PyObject* self, PyObject* texts) {
  const facade::Codec* const codec = native(self);
  std::vector<std::string> strings;
  std::vector<std::uint64_t> ids;
  if (codec == nullptr || !read_all(texts, strings)) return nullptr;
  if (!succeeds([&] { ids = codec->decode_many(strings); })) return nullptr;
  return list_of(ids);
}

PyMethodDef codec_methods[] = {
    {"encode", encode, METH_O,
     "encode($self, id, /)\n--\n\n"
     "Returns the text of an id, 0 <= id < 2**64.\n\n"
     "Errors: id_out_of_range (not an id, or it needs more characters than the width). Thread\n"
     "safety: any thread."},
    {"decode", decode, METH_O,
     "decode($self, text, /)\n--\n\n"
     "Returns the id that encode() gave this text; every other spelling is refused.\n\n"
     "Errors: text_invalid, id_out_of_range (2**64 or more), with the position of the wrong\n"
     "character. Thread safety: any thread."},
    {"encode_many", encode_many, METH_O,
     "encode_many($self, ids, /)\n--\n\n"
     "Returns the texts of all ids of an iterable, as a list.\n\n"
     "Errors: as encode(); the message has the index of the id. Thread safety: any thread."},
    {"decode_many", decode_many, METH_O,
     "decode_many($self, texts, /)\n--\n\n"
     "Returns the ids of all texts of an iterable, as a list.\n\n"
     "Errors: as decode(); the message has the index of the text. Thread safety: any thread."},
};

}  // namespace

void bind_codec(py::module_& module) {
  py::class_<facade::Codec> codec(module, "Codec");
  codec
      .def(py::init([](const py::str& name, std::optional<std::int64_t> width, bool check) {
             return width ? facade::Codec(utf8(name), *width, check) : facade::Codec(utf8(name), check);
           }),
           py::arg("name"), py::arg("width"), py::arg("check"))
      .def_property_readonly("name", reader(&facade::Codec::name), "The name in the table of codecs.")
      .def_property_readonly("digits", reader(&facade::Codec::digits), "The digits, in the order of their values.")
      .def_property_readonly("width", reader(&facade::Codec::width),
                             "Characters of every text, without a check symbol; 0 for as few as an id needs.")
      .def_property_readonly("check", reader(&facade::Codec::check), "True if texts end in a check symbol.");
  for (PyMethodDef& method : codec_methods) add_method(codec, method);
}

}  // namespace polyflake::python
