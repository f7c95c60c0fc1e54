// Ticket servers, as polyflake/_tickets.py sees them.
#include "binding.hpp"

#include <pybind11/stl.h>

namespace polyflake::python {
namespace {

// Returns (what, number, server, limit_ms).
py::tuple step_of_call(facade::TicketCall& call) {
  const facade::TicketStep step = call.step();
  return py::make_tuple(step.what, step.number, step.server, step.limit_ms);
}

}  // namespace

void bind_tickets(py::module_& module) {
  module.def("new_ticket_client", &facade::new_ticket_client);

  py::class_<facade::TicketCall>(module, "TicketCall", py::is_final())
      .def("step", &step_of_call)
      .def("end", &facade::TicketCall::end);

  py::class_<facade::TicketServers>(module, "TicketServers", py::is_final())
      .def(py::init(
          [](const std::vector<std::string>& clients, const std::vector<std::string>& shown, const py::str& table,
             std::int64_t timeout_ms) { return facade::TicketServers(clients, shown, utf8(table), timeout_ms); }))
      .def("call", [](const facade::TicketServers& servers) { return servers.call(0); })
      .def("session",
           [](const facade::TicketServers& servers, std::int64_t server,
              const py::str& syntax) -> facade::StoreSession { return servers.session(server, utf8(syntax)); })
      .def("close", &facade::TicketServers::close)
      .def("state",
           [](const facade::TicketServers& servers) {
             const facade::GeneratorState state = servers.state();
             return py::make_tuple(state.name, state.code.empty() ? py::object(py::none()) : py::str(state.code));
           })
      .def("stats", [](const facade::TicketServers& servers) { return dict_of(servers.stats()); })
      .def_property_readonly("closed", &facade::TicketServers::closed);

  py::class_<facade::TicketRules>(module, "TicketRules", py::is_final())
      .def(py::init<std::int64_t>())
      .def("next", &facade::TicketRules::next)
      .def("answered", &facade::TicketRules::answered)
      .def("failed", &facade::TicketRules::failed);
}

}  // namespace polyflake::python
