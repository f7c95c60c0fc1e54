// The common part of the calls that issue ids of any kind: claiming, waiting, and memory for ids.
#pragma once

#include "facade/counted_source.hpp"
#include "methods.hpp"

namespace polyflake::python {

// Returns the generator inside a bound object; null, with a Python error, if __init__ never ran.
inline facade::Generator* generator_in(PyObject* self) { return value_in<facade::Generator>(self); }

// These write ids of a source whose ticks have come, and return false, with a Python error, on
// failure: then none of the ids may be used.
bool issue(PyObject* self, facade::Source& source, unsigned char* id);
bool issue_number(PyObject* self, facade::CountedSource& source, std::uint64_t& number);
bool issue_many(PyObject* self, facade::Source& source, unsigned char* ids, std::size_t n);
// If it would have to wait, `issued` is false.
bool try_issue(PyObject* self, facade::Source& source, unsigned char* id, bool& issued);

// Starts the runner in a copy of the process, if a call finds no window, and wakes that of a
// counter. blocking: the call will wait for an id. Returns false, with a Python error, on failure.
bool look_after_runner(PyObject* self, bool blocking);

// Claims an id and writes it. Gives the word of facade::Source::claim_id().
bool claim_once(PyObject* self, facade::Source& source, unsigned char* id, std::int64_t& word);

// Returns the pair of such a word and an id, which it takes over.
inline PyObject* claim_of(std::int64_t word, PyObject* id) {
  return Py_BuildValue("LN", static_cast<long long>(word), id);
}

// The source of a bound object.
inline facade::Source& source_in(facade::Generator& generator) { return generator; }

// (position, nanoseconds waited for it) -> nanoseconds to wait, as of claims.hpp
template <class Bound>
PyObject* wait_ns(PyObject* self, PyObject* arguments) {
  auto* const bound = value_in<Bound>(self);
  unsigned long long position = 0;
  long long waited_ns = 0;
  if (bound == nullptr || PyArg_ParseTuple(arguments, "KL", &position, &waited_ns) == 0) return nullptr;
  std::int64_t ns = 0;
  if (!succeeds([&] { ns = source_in(*bound).wait_ns(position, waited_ns); })) return nullptr;
  if (source_in(*bound).take_wake() && !look_after_runner(self, false)) return nullptr;
  return PyLong_FromLongLong(ns);
}
constexpr const char* kWaitNs = "_wait_ns($self, position, waited_ns, /)\n--\n\n";

template <class Bound, class... Bases>
void add_state(py::class_<Bound, Bases...>& bound_class) {
  // The members in the order of polyflake.State.
  bound_class.def("_state", [](py::handle self) {
    const facade::GeneratorState state = source_in(value_of<Bound>(self)).state();
    return py::make_tuple(state.name, state.code.empty() ? py::none() : py::object(py::str(state.code)));
  });
}

// Adds the calls that sources of positions have in common. Requires: source_in() for Bound.
template <class Bound, class... Bases>
void add_calls_of_positions(py::class_<Bound, Bases...>& bound_class) {
  const auto source = [](py::handle self) -> facade::Source& { return source_in(value_of<Bound>(self)); };
  bound_class
      .def("renew",
           [source](py::handle self) {
             facade::Source& renewed = source(self);
             without_gil([&] { renewed.renew(); });
           })
      .def_property_readonly(
          "worker", [source](py::handle self) { return source(self).worker(); },
          "The node id: all node fields as one number. A forked child may take another.")
      .def_property_readonly("_layout_text", [source](py::handle self) { return source(self).layout(); });
  add_state(bound_class);
}

// Adds the calls that all sources have in common. Requires: source_in() for Bound.
template <class Bound, class... Bases>
void add_calls_of_sources(py::class_<Bound, Bases...>& bound_class) {
  const auto source = [](py::handle self) -> facade::Source& { return source_in(value_of<Bound>(self)); };
  bound_class
      .def("close",
           [source](py::handle self) {
             facade::Source& closed = source(self);
             without_gil([&] { closed.close(); });
           })
      .def_property_readonly(
          "closed", [source](py::handle self) { return source(self).closed(); }, "True once close() was called.")
      .def("_stats", [source](py::handle self) { return dict_of(source(self).stats()); });
}

// Returns the result of make() for the ids that issue() has issued; null, with a Python error, if
// either failed. New objects may start the collector, which may run code that forks: then the ids
// belong to the original, and others are issued.
template <typename Issue, typename Make>
PyObject* made_of_issued(Issue issue, Make make) {
  for (;;) {
    const std::uint64_t execution = facade::execution();
    if (!issue()) return nullptr;
    PyObject* const made = make();
    if (made == nullptr || facade::execution() == execution) return made;
    Py_DECREF(made);
  }
}

// Returns true for memory of native 64-bit integers, signed or not.
bool holds_numbers(const Py_buffer& view);

// Writable memory of another object. If the object refuses the buffer, view() returns null; no
// Python error is set.
class Memory {
 public:
  explicit Memory(PyObject* buffer)
      : had_(PyObject_GetBuffer(buffer, &view_, PyBUF_WRITABLE | PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) == 0) {
    if (!had_) PyErr_Clear();
  }
  const Py_buffer* view() const { return had_ ? &view_ : nullptr; }
  // Called by hand, so that the frame that takes the GIL back has nothing to destroy.
  void release() {
    if (had_) PyBuffer_Release(&view_);
  }

 private:
  Py_buffer view_;
  const bool had_;
};

}  // namespace polyflake::python
