#include "binding.hpp"

namespace polyflake::python {

std::string utf8(const py::str& text) {
  const auto bytes = py::reinterpret_steal<py::bytes>(PyUnicode_AsEncodedString(text.ptr(), "utf-8", "surrogatepass"));
  if (!bytes) throw py::error_already_set();
  return bytes;
}

std::vector<std::string> utf8(const std::vector<py::str>& texts) {
  std::vector<std::string> all;
  all.reserve(texts.size());
  for (const py::str& text : texts) all.push_back(utf8(text));
  return all;
}

}  // namespace polyflake::python
