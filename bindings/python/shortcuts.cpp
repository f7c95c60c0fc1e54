// polyflake.next_id() and polyflake.next_id_string(): the functions of the default generator.
//
// They are C functions, so that they cost no more than a method of a generator. Python takes the
// full name of such a function from the module object it is bound to, for pickles and for other
// code that writes names down (the migrations of Django). So they are bound to their own module
// object, which has the public name, and whose state holds the generator: one per interpreter.
#include "binding.hpp"

#include <atomic>

namespace polyflake::python {
namespace {

// Set by the first call; polyflake.testing takes it away for a while.
using DefaultGenerator = std::atomic<PyObject*>;

DefaultGenerator& held_by(PyObject* module) { return *static_cast<DefaultGenerator*>(PyModule_GetState(module)); }

// Returns the generator that polyflake._default opened or was given. It calls hold_default(), unless
// that is the one of polyflake.testing.
PyObject* first_use() {
  PyObject* const package = PyImport_ImportModule("polyflake._default");
  if (package == nullptr) return nullptr;
  PyObject* const generator = PyObject_CallMethod(package, "_first_use", nullptr);
  Py_DECREF(package);
  return generator;
}

// Holds a reference during the call: at the end of an interpreter the module releases its
// generator, and daemon threads may still use it.
PyObject* default_generator(PyObject* module) {
  PyObject* const generator = held_by(module).load(std::memory_order_acquire);
  Py_XINCREF(generator);
  return generator != nullptr ? generator : first_use();
}

// Returns true if this generator, which failed, was one of polyflake.testing that has ended since.
bool has_thawed(PyObject* module, PyObject* generator) {
  if (held_by(module).load(std::memory_order_acquire) == generator) return false;
  const pybind11::error_scope failure;
  PyObject* const package = PyImport_ImportModule("polyflake._default");
  PyObject* const present = package == nullptr ? nullptr : PyObject_GetAttrString(package, "_generator");
  Py_XDECREF(package);
  Py_XDECREF(present);
  return present != nullptr && present != generator;
}

template <PyObject* (*issue)(PyObject*)>
PyObject* shortcut(PyObject* module, PyObject*) {
  for (;;) {
    PyObject* const generator = default_generator(module);
    if (generator == nullptr) return nullptr;
    PyObject* const issued = issue(generator);
    const bool again = issued == nullptr && has_thawed(module, generator);
    Py_DECREF(generator);
    if (!again) return issued;
    PyErr_Clear();
  }
}

// Makes the module hold this generator, or none: then the next call asks polyflake._default again.
// Requires: the caller keeps the one that it held, which other threads may be using.
PyObject* hold_default(PyObject* module, PyObject* generator) {
  PyObject* const held = generator == Py_None ? nullptr : generator;
  Py_XINCREF(held);
  Py_XDECREF(held_by(module).exchange(held, std::memory_order_acq_rel));
  Py_RETURN_NONE;
}

int traverse(PyObject* module, visitproc visit, void* arg) {
  Py_VISIT(held_by(module).load(std::memory_order_relaxed));
  return 0;
}

int clear(PyObject* module) {
  PyObject* const generator = held_by(module).exchange(nullptr, std::memory_order_acq_rel);
  Py_XDECREF(generator);
  return 0;
}

void free_module(void* module) { clear(static_cast<PyObject*>(module)); }

PyMethodDef functions[] = {
    {"next_id", shortcut<issue_id>, METH_NOARGS,
     "next_id($module, /)\n--\n\n"
     "Issues one id from the default generator: the one given to set_default(), else Generator(), opened at the\n"
     "first call.\n\n"
     "The node id of Generator() comes from POLYFLAKE_WORKER in the environment, else from this host's registry.\n\n"
     "Errors: as Generator() and Generator.next_id(). Blocks: the first call as Generator() as well, later ones as\n"
     "Generator.next_id(). Thread safety: any thread, and right after a fork."},
    {"next_id_string", shortcut<issue_id_text>, METH_NOARGS,
     "next_id_string($module, /)\n--\n\n"
     "Issues one id from the default generator as text, canonical decimal.\n\n"
     "Errors, blocking, thread safety: as next_id()."},
    {"hold_default", hold_default, METH_O, "hold_default($module, generator, /)\n--\n\nFor polyflake._default."},
    {nullptr, nullptr, 0, nullptr},
};

PyModuleDef definition = {PyModuleDef_HEAD_INIT,
                          "polyflake",
                          nullptr,
                          sizeof(DefaultGenerator),
                          functions,
                          nullptr,
                          traverse,
                          clear,
                          free_module};

}  // namespace

void add_shortcuts(py::module_& module) {
  const auto shortcuts = py::reinterpret_steal<py::object>(PyModule_Create(&definition));
  if (!shortcuts) throw py::error_already_set();
  for (const char* name : {"next_id", "next_id_string", "hold_default"})
    py::setattr(module, name, shortcuts.attr(name));
}

}  // namespace polyflake::python
