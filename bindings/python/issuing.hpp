// What the calls that issue ids share, of whatever kind those are: claiming positions, waiting, and memory that takes ids.
#pragma once

#include "methods.hpp"

namespace polyflake::python {

// The generator inside a bound object; null, with a Python error, where __init__ never ran.
inline facade::Generator* generator_in(PyObject* self) { return value_in<facade::Generator>(self); }

// One id, or position, whose tick has come; false, with a Python error, where that failed.
bool take_id(PyObject* self, std::int64_t& id);

// The same where no wait is needed; -1 where it would be.
bool try_take_id(PyObject* self, std::int64_t& id);

// Fills out[0..n); false, with a Python error, where that failed: then none of the ids may be used.
bool issue_ids(PyObject* self, facade::Generator& generator, std::uint64_t* out, std::size_t n);

// What make() makes of the ids that issue() has issued; null, with a Python error, where either failed. New objects may set the
// collector going, and that code which forks: then the ids are those of the original, and others are issued.
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

// Writable memory of somebody else, and whether it was had: then no Python error is set where it was not.
class Memory {
 public:
  explicit Memory(PyObject* buffer)
      : had_(PyObject_GetBuffer(buffer, &view_, PyBUF_WRITABLE | PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) == 0) {
    if (!had_) PyErr_Clear();
  }
  const Py_buffer* view() const { return had_ ? &view_ : nullptr; }
  // By hand: no frame that takes the GIL back has anything to destroy.
  void release() {
    if (had_) PyBuffer_Release(&view_);
  }

 private:
  Py_buffer view_;
  const bool had_;
};

}  // namespace polyflake::python
