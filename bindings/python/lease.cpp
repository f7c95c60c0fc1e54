// Leases and the tasks of operators, as the runner in polyflake/lease.py sees them.
#include "binding.hpp"

#include <pybind11/stl.h>

namespace polyflake::python {
namespace {

using facade::StoreTalk;

facade::StoreReply reply_of(const py::iterable& rows) {
  facade::StoreReply reply;
  for (const py::handle row : rows) {
    reply.begin_row();
    for (const py::handle value : row) {
      if (value.is_none()) {
        reply.add_nothing();
      } else {
        reply.add(utf8(py::cast<py::str>(value)));
      }
    }
  }
  return reply;
}

// (what, number, name, parts, sleep_ms)
py::tuple step(StoreTalk& talk) {
  const facade::StoreStep step = talk.step();
  return py::make_tuple(step.what, step.number, step.name, step.parts, step.sleep_ms);
}

bool deliver(StoreTalk& talk, std::int64_t number, const py::iterable& rows) {
  return talk.deliver(number, reply_of(rows));
}

void fail(StoreTalk& talk, std::int64_t number, const py::str& code, const py::str& reason) {
  talk.fail(number, utf8(code), utf8(reason));
}

py::list leases(const facade::NamespaceTask& task) {
  py::list all;
  for (std::size_t i = 0; i < task.count(); ++i) {
    all.append(py::make_tuple(task.node(i), task.until_ms(i), task.label(i)));
  }
  return all;
}

}  // namespace

void bind_lease(py::module_& module) {
  // In a copy of the process, also at its end: clients say good-bye to the store when they go, on their original's connection.
  module.def("keep_forever", [](py::object object) { object.release(); });

  module.def("is_store_address", [](const py::str& text) { return facade::is_store_address(utf8(text)); });

  py::class_<facade::StoreAddress>(module, "StoreAddress", py::is_final())
      .def(py::init(
          [](const py::str& kind, const py::str& shown) { return facade::StoreAddress(utf8(kind), utf8(shown)); }))
      .def_static("parse", [](const py::str& url) { return facade::StoreAddress::parse(utf8(url)); })
      .def("set", [](facade::StoreAddress& address, const py::str& name,
                     const py::str& value) { address.set(utf8(name), utf8(value)); })
      .def_property_readonly("kind", &facade::StoreAddress::kind)
      .def_property_readonly("client", &facade::StoreAddress::client)
      .def_property_readonly("shown", &facade::StoreAddress::shown)
      .def_property_readonly("name", &facade::StoreAddress::name);

  py::class_<StoreTalk>(module, "StoreTalk")
      .def("step", &step)
      .def("deliver", &deliver)
      .def("fail", &fail)
      .def("setup", &StoreTalk::setup);

  py::class_<facade::Lease, StoreTalk>(module, "Lease", py::is_final())
      .def(py::init([](const facade::StoreAddress& address, const py::str& layout, const py::str& placeholder) {
        return facade::Lease(address, utf8(layout), utf8(placeholder));
      }))
      .def("raise_failure", &facade::Lease::raise_failure)
      .def("hurry", &facade::Lease::hurry)
      .def("release", [](facade::Lease& lease) { without_gil([&] { lease.release(); }); })
      .def("begin_anew", &facade::Lease::begin_anew)
      .def_property_readonly("granted", &facade::Lease::granted)
      .def_property_readonly("ours", &facade::Lease::ours)
      .def_property_readonly("acquire_timeout_ms", &facade::Lease::acquire_timeout_ms)
      .def_property_readonly("command_timeout_ms", &facade::Lease::command_timeout_ms)
      .def_property_readonly("renewals", &facade::Lease::renewals)
      .def_property_readonly("namespace_uuid", &facade::Lease::namespace_uuid);

  py::class_<facade::NamespaceTask, StoreTalk>(module, "NamespaceTask", py::is_final())
      .def_static(
          "init",
          [](const facade::StoreAddress& address, const py::str& layout, const py::str& placeholder, bool fresh) {
            return facade::NamespaceTask::init(address, utf8(layout), utf8(placeholder), fresh);
          })
      .def_static("raise_floor",
                  [](const facade::StoreAddress& address, const py::str& layout, const py::str& placeholder,
                     std::int64_t unix_ms, bool lower) {
                    return facade::NamespaceTask::raise_floor(address, utf8(layout), utf8(placeholder), unix_ms, lower);
                  })
      .def_static("leases",
                  [](const facade::StoreAddress& address, const py::str& layout, const py::str& placeholder) {
                    return facade::NamespaceTask::leases(address, utf8(layout), utf8(placeholder));
                  })
      .def("fence", &facade::NamespaceTask::fence)
      .def("name_copies", [](facade::NamespaceTask& task, const py::str& names) { task.name_copies(utf8(names)); })
      .def_property_readonly("uuid", &facade::NamespaceTask::uuid)
      .def("held", &leases);

  py::class_<facade::StoreTrial, StoreTalk>(module, "StoreTrial", py::is_final())
      .def(py::init([](const facade::StoreAddress& address, const py::str& placeholder) {
        return facade::StoreTrial(address, utf8(placeholder));
      }))
      .def("ask_read", &facade::StoreTrial::ask_read)
      .def("ask_cas", [](facade::StoreTrial& trial, const std::vector<py::str>& names,
                         const std::vector<py::str>& values) { trial.ask_cas(utf8(names), utf8(values)); })
      .def_property_readonly("outcome", &facade::StoreTrial::outcome)
      .def_property_readonly("found", &facade::StoreTrial::found);
}

}  // namespace polyflake::python
