// Leases and the tasks of operators, as the runner in polyflake/_lease.py sees them.
#include "binding.hpp"

#include <pybind11/stl.h>

namespace polyflake::python {
namespace {

using facade::StoreSession;

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

// Returns (what, number, name, parts, sleep_ms).
py::tuple step(StoreSession& session) {
  const facade::StoreStep step = session.step();
  return py::make_tuple(step.what, step.number, step.name, step.parts, step.sleep_ms);
}

bool deliver(StoreSession& session, std::int64_t number, const py::iterable& rows) {
  return session.deliver(number, reply_of(rows));
}

void fail(StoreSession& session, std::int64_t number, const py::str& code, const py::str& reason) {
  session.fail(number, utf8(code), utf8(reason));
}

py::list leases(const facade::NamespaceTask& task) {
  py::list all;
  for (std::size_t i = 0; i < task.count(); ++i) {
    all.append(py::make_tuple(task.node(i), task.until_ms(i), task.label(i)));
  }
  return all;
}

// Returns the members of each state, None for nothing.
py::list states(const facade::CounterList& list) {
  py::list all;
  for (std::size_t i = 0; i < list.count(); ++i) {
    py::list members;
    list.state(i).each([&](const char*, const auto& value) { members.append(value); });
    all.append(py::tuple(members));
  }
  return all;
}

void bind_address(py::module_& module) {
  module.def("is_store_address", [](const py::str& text) { return facade::is_store_address(utf8(text)); });

  py::class_<facade::StoreAddress>(module, "StoreAddress", py::is_final())
      .def(py::init(
          [](const py::str& kind, const py::str& shown) { return facade::StoreAddress(utf8(kind), utf8(shown)); }))
      .def_static("parse", [](const py::str& url) { return facade::StoreAddress::parse(utf8(url)); })
      .def_static("parse_ticket_server",
                  [](const py::str& url) { return facade::StoreAddress::parse_ticket_server(utf8(url)); })
      .def("set", [](facade::StoreAddress& address, const py::str& name,
                     const py::str& value) { address.set(utf8(name), utf8(value)); })
      .def_property_readonly("kind", &facade::StoreAddress::kind)
      .def_property_readonly("client", &facade::StoreAddress::client)
      .def_property_readonly("shown", &facade::StoreAddress::shown)
      .def_property_readonly("name", &facade::StoreAddress::name);
}

void bind_leases(py::module_& module) {
  py::class_<StoreSession>(module, "StoreSession")
      .def("step", &step)
      .def("deliver", &deliver)
      .def("fail", &fail)
      .def("tell_offset", &StoreSession::tell_offset)
      .def("tell_no_offset", &StoreSession::tell_no_offset)
      .def("setup", &StoreSession::setup);

  py::class_<facade::Lease, StoreSession>(module, "Lease", py::is_final())
      .def(py::init([](const facade::StoreAddress& address, const py::str& layout, const py::str& placeholder) {
        return facade::Lease(address, utf8(layout), utf8(placeholder));
      }))
      .def("raise_failure", &facade::Lease::raise_failure)
      .def("hurry", &facade::Lease::hurry)
      .def("release", [](facade::Lease& lease) { without_gil([&] { lease.release(); }); })
      .def("begin_anew", &facade::Lease::begin_anew)
      .def("take_report", &facade::Lease::take_report)
      .def_property_readonly("granted", &facade::Lease::granted)
      .def_property_readonly("of_this_execution", &facade::Lease::of_this_execution)
      .def_property_readonly("acquire_timeout_ms", &facade::Lease::acquire_timeout_ms)
      .def_property_readonly("command_timeout_ms", &facade::Lease::command_timeout_ms)
      .def_property_readonly("confirmations", &facade::Lease::confirmations)
      .def_property_readonly("namespace_uuid", &facade::Lease::namespace_uuid);
}

void bind_dates(py::module_& module) {
  using facade::DateNumbers;
  module.def("is_zone_name", [](const py::str& zone) { return facade::is_zone_name(utf8(zone)); });
  // Returns (label, start_ms, end_ms).
  module.def("period_at", [](const py::str& period, const py::str& zone, std::int64_t unix_ms) {
    const facade::DatePeriod found = facade::period_at(utf8(period), utf8(zone), unix_ms);
    return py::make_tuple(found.label, found.start_ms, found.end_ms);
  });

  py::class_<DateNumbers>(module, "DateNumbers", py::is_final())
      .def(py::init([](const py::str& period, std::int64_t digits, const py::str& prefix) {
        return DateNumbers(utf8(period), digits, utf8(prefix));
      }))
      .def_property_readonly("period", &DateNumbers::period)
      .def_property_readonly("digits", &DateNumbers::digits)
      .def_property_readonly("prefix", &DateNumbers::prefix)
      .def("number", &DateNumbers::number)
      .def("parts",
           [](const DateNumbers& numbers, std::uint64_t number) {
             return py::make_tuple(numbers.label_of(number), numbers.count_of(number));
           })
      .def("text", &DateNumbers::text)
      .def("parse", [](const DateNumbers& numbers, const py::str& text) { return numbers.parse(utf8(text)); });
}

void bind_counters(py::module_& module) {
  py::class_<facade::Counter, StoreSession>(module, "Counter", py::is_final())
      .def(py::init([](const facade::StoreAddress& address, const py::str& name, const std::vector<std::string>& names,
                       const std::vector<std::int64_t>& values, const py::str& placeholder) {
        return facade::Counter(address, utf8(name), names, values, utf8(placeholder));
      }))
      .def(py::init([](const facade::StoreAddress& address, const py::str& name, const facade::DateNumbers& numbers,
                       const py::str& zone, const std::vector<std::string>& names,
                       const std::vector<std::int64_t>& values, const py::str& placeholder) {
        return facade::Counter(address, utf8(name), numbers, utf8(zone), names, values, utf8(placeholder));
      }))
      .def("raise_failure", &facade::Counter::raise_failure)
      .def("release", [](facade::Counter& counter) { without_gil([&] { counter.release(); }); })
      .def("begin_anew", &facade::Counter::begin_anew)
      .def("take_report", &facade::Counter::take_report)
      .def_property_readonly("granted", &facade::Counter::granted)
      .def_property_readonly("of_this_execution", &facade::Counter::of_this_execution)
      .def_property_readonly("acquire_timeout_ms", &facade::Counter::acquire_timeout_ms)
      .def_property_readonly("command_timeout_ms", &facade::Counter::command_timeout_ms)
      .def_property_readonly("namespace_uuid", &facade::Counter::namespace_uuid);

  py::class_<facade::CounterTask, StoreSession>(module, "CounterTask", py::is_final())
      .def_static(
          "init",
          [](const facade::StoreAddress& address, const py::str& name, std::uint64_t after,
             const std::vector<std::string>& names, const std::vector<py::str>& values, const py::str& placeholder) {
            return facade::CounterTask::init(address, utf8(name), after, names, utf8(values), utf8(placeholder));
          })
      .def_static("set", [](const facade::StoreAddress& address, const py::str& name, std::uint64_t after,
                            std::uint64_t period, const py::str& placeholder) {
        return facade::CounterTask::set(address, utf8(name), after, period, utf8(placeholder));
      });

  py::class_<facade::CounterList, StoreSession>(module, "CounterList", py::is_final())
      .def(py::init([](const facade::StoreAddress& address, const py::str& placeholder) {
        return facade::CounterList(address, utf8(placeholder));
      }))
      .def("states", &states);
}

void bind_task(py::module_& module) {
  py::class_<facade::NamespaceTask, StoreSession>(module, "NamespaceTask", py::is_final())
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
}

}  // namespace

void bind_lease(py::module_& module) {
  // For a copy of the process, also at its end: a destroyed client says good-bye to the store on
  // the original's connection.
  module.def("keep_forever", [](py::object object) { object.release(); });

  bind_address(module);
  bind_leases(module);
  bind_task(module);
  bind_dates(module);
  bind_counters(module);
}

}  // namespace polyflake::python
