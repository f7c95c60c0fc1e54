// The command line, for python -m polyflake.
#include "command.hpp"

#include <pybind11/stl.h>

#include "methods.hpp"
#include "without_gil.hpp"

namespace polyflake::python {
namespace {

std::unique_ptr<cli::Command> make_command(const std::vector<py::bytes>& arguments) {
  return std::make_unique<cli::Command>(std::vector<std::string>(arguments.begin(), arguments.end()));
}

// As in sys.argv: bytes without an encoding are kept, for os.fsencode().
py::object as_argument(const std::string& text) {
  PyObject* const decoded = PyUnicode_DecodeFSDefaultAndSize(text.data(), static_cast<Py_ssize_t>(text.size()));
  if (decoded == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(decoded);
}

// Its I/O blocks; meanwhile other threads renew leases.
py::object step_command(cli::Command& command) {
  std::optional<cli::Request> request;
  without_gil([&] { request = command.step(); });
  if (!request) return py::none();
  py::list arguments;
  for (const std::string& argument : request->arguments) arguments.append(as_argument(argument));
  return py::make_tuple(request->operation, as_argument(request->store), as_argument(request->layout), arguments);
}

}  // namespace

void bind_command(py::module_& module) {
  py::class_<cli::Command>(module, "Command")
      .def(py::init(&make_command), py::arg("arguments"))
      .def("step", &step_command)
      .def("deliver", &cli::Command::deliver, py::arg("rows"))
      .def("fail", &cli::Command::fail, py::arg("code"), py::arg("message"))
      .def_property_readonly("exit_code", &cli::Command::exit_code);
}

}  // namespace polyflake::python
