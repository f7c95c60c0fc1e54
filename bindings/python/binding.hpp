// The common part of the files of this extension module: its parts and its failures.
//
// It decides nothing about ids. Bindings convert Python values to the plain types of the facade,
// call, and convert back; the Python package checks a user's values.
#pragma once

#include <string>
#include <vector>

#include <pybind11/pybind11.h>

#include <facade/facade.hpp>

#include "without_gil.hpp"

namespace polyflake::python {

namespace py = pybind11;

void bind_codec(py::module_& module);
void bind_explain(py::module_& module);
void bind_layout(py::module_& module);
void bind_lease(py::module_& module);
void bind_generator(py::module_& module);
void bind_kinds(py::module_& module);
void bind_sources(py::module_& module);
void bind_sqids(py::module_& module);
void bind_seal(py::module_& module);
void bind_tickets(py::module_& module);
void bind_command(py::module_& module);

// Returns (time_ms, tick, sequence, node, {node field: value}).
py::tuple tuple_of(const Parts& parts, const std::vector<std::string>& node_fields);

// Returns the fields of polyflake.Stats.
py::dict dict_of(const polyflake::Stats& stats);

// Adds next_id and the other calls that issue ids to the bound Generator class.
void add_issuing_methods(py::handle generator_class);

// Adds the functions of the default generator, polyflake.next_id and polyflake.next_id_string, to
// the module.
void add_shortcuts(py::module_& module);

// Returns the next id of a bound generator, as an int or as decimal text; null, with a Python
// error, on failure.
PyObject* issue_id(PyObject* generator);
PyObject* issue_id_text(PyObject* generator);

// Turns the exception being handled into the pending Python error: the class in polyflake.errors of
// its kind, with the code unchanged; MemoryError and RuntimeError for other exceptions. Call it
// inside a catch block, with the GIL held. Never throws.
void set_python_error() noexcept;

// Returns the bytes of a str for the parsers of the core, which refuse what they do not allow. Lone
// surrogates pass unchanged, so that the parsers refuse them, too, instead of an encoding error.
std::string utf8(const py::str& text);
std::vector<std::string> utf8(const std::vector<py::str>& texts);

}  // namespace polyflake::python
