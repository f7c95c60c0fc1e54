// Ids and texts from Python's objects and back, for plain C methods: one at a time, and lists of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "methods.hpp"

namespace polyflake::python {

// False, with the error of polyflake._arguments, where the value is no id or no str.
bool read_id(PyObject* value, std::uint64_t& id);
bool read_text(PyObject* value, std::string& text);

// The same of all values of an iterable; polyflake._arguments says what is none.
bool read_all(PyObject* values, std::vector<std::uint64_t>& ids);
bool read_all(PyObject* values, std::vector<std::string>& texts);

// New references; null, with a Python error, where there is no memory for them.
PyObject* str_of(const std::string& text);
PyObject* list_of(const std::vector<std::uint64_t>& ids);
PyObject* list_of(const std::vector<std::string>& texts);

}  // namespace polyflake::python
