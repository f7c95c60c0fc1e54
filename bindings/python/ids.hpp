// Conversions between ids and texts and Python's objects, for plain C methods: single ones and
// lists.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "methods.hpp"

namespace polyflake::python {

// Return false, with the error of polyflake._arguments, if the value is not an id or not a str.
bool read_id(PyObject* value, std::uint64_t& id);
bool read_text(PyObject* value, std::string& text);

// The same for all values of an iterable; polyflake._arguments raises the error for other values.
bool read_all(PyObject* values, std::vector<std::uint64_t>& ids);
bool read_all(PyObject* values, std::vector<std::string>& texts);

// Return new references; null, with a Python error, if there is no memory for them.
PyObject* str_of(const std::string& text);
PyObject* list_of(const std::vector<std::uint64_t>& ids);
PyObject* list_of(const std::vector<std::string>& texts);

}  // namespace polyflake::python
