// Sqids and Hashids: lists of ids as texts.
#include <optional>

#include <pybind11/stl.h>

#include "ids.hpp"
#include "methods.hpp"

namespace polyflake::python {
namespace {

// An iterable is read as a list, any other value as one id.
bool read_ids(PyObject* value, std::vector<std::uint64_t>& ids) {
  if (Py_TYPE(value)->tp_iter != nullptr || PySequence_Check(value) != 0) return read_all(value, ids);
  return succeeds([&] { ids.emplace_back(); }) && read_id(value, ids.back());
}

template <typename Texts>
PyObject* encode(PyObject* self, PyObject* value) {
  const auto* const texts = value_in<Texts>(self);
  std::vector<std::uint64_t> ids;
  std::string text;
  if (texts == nullptr || !read_ids(value, ids) || !succeeds([&] { text = texts->encode(ids); })) return nullptr;
  return str_of(text);
}

template <typename Texts>
PyObject* decode(PyObject* self, PyObject* value) {
  const auto* const texts = value_in<Texts>(self);
  std::string text;
  std::vector<std::uint64_t> ids;
  if (texts == nullptr || !read_text(value, text) || !succeeds([&] { ids = texts->decode(text); })) return nullptr;
  return list_of(ids);
}

template <typename Texts>
void add_methods(py::class_<Texts>& texts) {
  static PyMethodDef methods[] = {
      {"encode", encode<Texts>, METH_O,
       "encode($self, ids, /)\n--\n\n"
       "Returns the text of one id or of an iterable of up to 1024 ids, 0 <= id < 2**64.\n\n"
       "An empty iterable has the empty text. Errors: id_out_of_range (not an id), option_invalid\n"
       "(too many; with Sqids also if every possible text is blocked). Thread safety: any thread."},
      {"decode", decode<Texts>, METH_O,
       "decode($self, text, /)\n--\n\n"
       "Returns the ids that encode() gave this text; every other text is refused.\n\n"
       "Errors: text_invalid, id_out_of_range (2**64 or more), with the position of the first\n"
       "character that differs from the text of the ids read. Thread safety: any thread."},
  };
  for (PyMethodDef& method : methods) add_method(texts, method);
  texts.def_property_readonly("alphabet", reader(&Texts::alphabet), "The characters of texts.")
      .def_property_readonly("min_length", reader(&Texts::min_length), "The least number of characters of a text.");
}

}  // namespace

void bind_sqids(py::module_& module) {
  using Words = std::optional<std::vector<py::str>>;
  py::class_<facade::Sqids> sqids(module, "Sqids");
  sqids
      .def(py::init([](const py::str& alphabet, std::int64_t min_length, const Words& blocklist) {
             const std::vector<std::string> words = blocklist ? utf8(*blocklist) : std::vector<std::string>();
             return facade::Sqids(utf8(alphabet), min_length, blocklist.has_value(), words);
           }),
           py::arg("alphabet"), py::arg("min_length"), py::arg("blocklist"))
      .def_static("default_blocklist", &facade::default_blocklist,
                  "Returns the words of the specification, as a new list to which words can be added.");
  add_methods(sqids);

  py::class_<facade::Hashids> hashids(module, "Hashids");
  hashids.def(py::init([](const py::str& salt, std::int64_t min_length, const py::str& alphabet) {
                return facade::Hashids(utf8(salt), min_length, utf8(alphabet));
              }),
              py::arg("salt"), py::arg("min_length"), py::arg("alphabet"));
  add_methods(hashids);

  module.attr("SQIDS_ALPHABET") = facade::sqids_alphabet();
  module.attr("HASHIDS_ALPHABET") = facade::hashids_alphabet();
}

}  // namespace polyflake::python
