// Ticket servers, as node/tickets.js sees them.
#include <memory>
#include <string>
#include <utility>

#include "objects.hpp"

namespace polyflake::node {
namespace {

facade::TicketServers& servers_of(Environment& environment, Napi::Value value) {
  return object_in<&Environment::tickets>(environment, value, "generator_closed");
}

facade::TicketRules& rules_of(Environment& environment, Napi::Value value) {
  return object_in<&Environment::ticket_rules>(environment, value);
}

std::int64_t small_number(Napi::Value value) {
  constexpr std::size_t kMost = 1 << 16;
  return static_cast<std::int64_t>(number_up_to(value, kMost));
}

// (clients, shown, table, timeout as BigInt) -> servers
Napi::Value new_tickets(Environment& environment, const Napi::CallbackInfo& info) {
  auto servers =
      std::make_unique<facade::TicketServers>(texts_of(info[0], "option_invalid"), texts_of(info[1], "option_invalid"),
                                              option_text(info[2]), int64_of(info[3], "option_invalid"));
  return number(info.Env(), environment.tickets.add(std::move(servers)));
}

// -> a text that names a client of the user's own
Napi::Value new_ticket_client(Environment&, const Napi::CallbackInfo& info) {
  return Napi::String::New(info.Env(), facade::new_ticket_client());
}

// (servers, number of one) -> conversation
Napi::Value ticket_session(Environment& environment, const Napi::CallbackInfo& info) {
  return add_session(environment, info.Env(),
                     {servers_of(environment, info[0]).session(small_number(info[1]), ""), {}, {}, {}});
}

// (servers) -> call
Napi::Value ticket_call(Environment& environment, const Napi::CallbackInfo& info) {
  auto call = std::make_unique<facade::TicketCall>(servers_of(environment, info[0]).call(0));
  return number(info.Env(), environment.ticket_calls.add(std::move(call)));
}

// (call) -> { what, number, server, limitMs }
Napi::Value ticket_step(Environment& environment, const Napi::CallbackInfo& info) {
  const facade::TicketStep step = object_in<&Environment::ticket_calls>(environment, info[0]).step();
  const Napi::Env env = info.Env();
  auto result = Napi::Object::New(env);
  result.Set("what", step.what);
  result.Set("number", Napi::BigInt::New(env, step.number));
  result.Set("server", number(env, step.server));
  result.Set("limitMs", number(env, step.limit_ms));
  return result;
}

// (servers) -> { name, code }
Napi::Value ticket_state(Environment& environment, const Napi::CallbackInfo& info) {
  const facade::GeneratorState state = servers_of(environment, info[0]).state();
  auto result = Napi::Object::New(info.Env());
  result.Set("name", state.name);
  result.Set("code", state.code);
  return result;
}

Napi::Value ticket_stats(Environment& environment, const Napi::CallbackInfo& info) {
  return object_of(info.Env(), servers_of(environment, info[0]).stats());
}

Napi::Value close_tickets(Environment& environment, const Napi::CallbackInfo& info) {
  servers_of(environment, info[0]).close();
  return info.Env().Undefined();
}

Napi::Value tickets_closed(Environment& environment, const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(info.Env(), servers_of(environment, info[0]).closed());
}

// The rules alone, for the vectors: (count) -> rules
Napi::Value new_ticket_rules(Environment& environment, const Napi::CallbackInfo& info) {
  auto rules = std::make_unique<facade::TicketRules>(small_number(info[0]));
  return number(info.Env(), environment.ticket_rules.add(std::move(rules)));
}

// (rules, mono ms as BigInt) -> server
Napi::Value next_ticket_server(Environment& environment, const Napi::CallbackInfo& info) {
  const std::int64_t mono_ms = int64_of(info[1], "option_invalid");
  return number(info.Env(), rules_of(environment, info[0]).next(mono_ms));
}

// (rules, server, number as text) -> the number, "again" or a code
Napi::Value judge_ticket(Environment& environment, const Napi::CallbackInfo& info) {
  facade::TicketRules& rules = rules_of(environment, info[0]);
  return Napi::String::New(info.Env(), rules.answered(small_number(info[1]), option_text(info[2])));
}

// (rules, server, mono ms as BigInt)
Napi::Value fail_ticket_server(Environment& environment, const Napi::CallbackInfo& info) {
  rules_of(environment, info[0]).failed(small_number(info[1]), int64_of(info[2], "option_invalid"));
  return info.Env().Undefined();
}

}  // namespace

void add_tickets(Napi::Object exports, Environment& environment) {
  add<new_tickets>(exports, "newTickets", environment);
  add<forget<&Environment::tickets>>(exports, "forgetTickets", environment);
  add<new_ticket_client>(exports, "newTicketClient", environment);
  add<ticket_session>(exports, "ticketSession", environment);
  add<ticket_call>(exports, "ticketCall", environment);
  add<ticket_step>(exports, "ticketStep", environment);
  add<forget<&Environment::ticket_calls>>(exports, "forgetTicketCall", environment);
  add<ticket_state>(exports, "ticketState", environment);
  add<ticket_stats>(exports, "ticketStats", environment);
  add<close_tickets>(exports, "closeTickets", environment);
  add<tickets_closed>(exports, "ticketsClosed", environment);
  add<new_ticket_rules>(exports, "newTicketRules", environment);
  add<next_ticket_server>(exports, "nextTicketServer", environment);
  add<judge_ticket>(exports, "judgeTicket", environment);
  add<fail_ticket_server>(exports, "failTicketServer", environment);
}

}  // namespace polyflake::node
