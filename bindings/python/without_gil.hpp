// Calls that may block, without the GIL.
#pragma once

#include <Python.h>

#include <exception>

namespace polyflake::python {

// Runs a call that may block, without the GIL. Returns its exception once the GIL is back.
//
// Not py::gil_scoped_release: at interpreter exit a daemon thread ends while it takes the GIL back,
// which must not happen inside a destructor (the unwinding would end the process instead).
template <typename Call>
std::exception_ptr failure_without_gil(Call call) {
  std::exception_ptr failure;
  PyThreadState* const thread = PyEval_SaveThread();
  try {
    call();
  } catch (...) {
    failure = std::current_exception();
  }
  PyEval_RestoreThread(thread);
  return failure;
}

// The same, but rethrows the exception.
template <typename Call>
void without_gil(Call call) {
  const std::exception_ptr failure = failure_without_gil(call);
  if (failure) std::rethrow_exception(failure);
}

}  // namespace polyflake::python
