// polyflake_bare: the bare work as an empty native call of Python, made like our next_id() (bindings/python/claim.cpp).
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "bare.hpp"

namespace {

using namespace polyflake::bench;

constexpr std::uint64_t kAsLongAsAnId = std::uint64_t{1} << 60;  // an int takes longer to make the longer it is

template <class Time>
PyObject* work(PyObject*, PyObject*) {
  return PyLong_FromUnsignedLongLong(bare_work<Time>(shared_word) | kAsLongAsAnId);
}

// The floor of a counter's number: one atomic add, without the time.
PyObject* count(PyObject*, PyObject*) {
  static std::atomic<std::uint64_t> next{kAsLongAsAnId};
  return PyLong_FromUnsignedLongLong(next.fetch_add(1, std::memory_order_relaxed));
}

// fill(buffer): counts up in all of its 8-byte words; as an empty call that fills, it claims once.
template <class Time>
PyObject* fill(PyObject*, PyObject* buffer) {
  Py_buffer view;
  if (PyObject_GetBuffer(buffer, &view, PyBUF_WRITABLE | PyBUF_C_CONTIGUOUS) != 0) return nullptr;
  count_up(static_cast<std::uint64_t*>(view.buf), static_cast<std::size_t>(view.len) / 8, bare_work<Time>(shared_word));
  PyBuffer_Release(&view);
  Py_RETURN_NONE;
}

template <class Time>
PyMethodDef methods[] = {{"work", work<Time>, METH_NOARGS, nullptr},
                         {"count", count, METH_NOARGS, nullptr},
                         {"fill", fill<Time>, METH_O, nullptr},
                         {nullptr, nullptr, 0, nullptr}};

template <class Time>
PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "polyflake_bare", nullptr, 0, methods<Time>, nullptr, nullptr, nullptr, nullptr};

}  // namespace

PyMODINIT_FUNC PyInit_polyflake_bare() {
  return with_the_cheaper_time([](auto time) {
    using Time = decltype(time);
    PyObject* const module = PyModule_Create(&definition<Time>);
    if (module != nullptr) PyModule_AddStringConstant(module, "time", Time::kName);
    return module;
  });
}
