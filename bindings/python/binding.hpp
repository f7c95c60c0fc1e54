// What the files of this extension module share: the parts it is assembled from, and its failures.
//
// Nothing in here decides anything about ids. Bindings convert Python values to the plain types of the
// facade, call, and convert back; checks of what a user passed are in the Python package.
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
void bind_sources(py::module_& module);  // after bind_generator(): its classes derive from that one
void bind_sqids(py::module_& module);
void bind_seal(py::module_& module);

// The generator inside a bound object. Throws TypeError where __init__ never ran, which pybind11 would not
// notice; a traceback printer that shows the locals of a failed constructor gets there.
facade::Generator& opened(py::handle self);

// (time_ms, tick, sequence, node, {node field: value})
py::tuple tuple_of(const Parts& parts, const std::vector<std::string>& node_fields);

// The fields of polyflake.Stats.
py::dict dict_of(const std::vector<facade::Statistic>& statistics);

// Places next_id and the other calls that issue ids on the bound Generator class.
void add_issuing_methods(py::handle generator_class);

// Places the functions of the default generator, polyflake.next_id and polyflake.next_id_string, in the module.
void add_shortcuts(py::module_& module);

// The next id of a bound generator, as an int or as decimal text; null, with a Python error, where that failed.
PyObject* issue_id(PyObject* generator);
PyObject* issue_id_text(PyObject* generator);

// Turns the exception being handled into the pending Python error: the class in polyflake.errors that
// belongs to its kind, with the code unchanged; MemoryError and RuntimeError for what is not ours.
// Call it inside a catch block, with the GIL held. Never throws.
void set_python_error() noexcept;

// The bytes of a str for the parsers of the core, which refuse what they do not allow. Lone surrogates
// go through as they are, so that they too are refused there and not by an encoding error.
std::string utf8(const py::str& text);
std::vector<std::string> utf8(const std::vector<py::str>& texts);

}  // namespace polyflake::python
