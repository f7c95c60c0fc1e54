// Leases and tasks of operators, as the runner in node/lease.js sees them; and what a runner does
// with leases and counters alike.
#include "objects.hpp"

namespace polyflake::node {

facade::Lease& lease_of(Environment& environment, std::uint32_t index) {
  Session* const session = environment.sessions.find(index);
  if (session == nullptr || !session->lease) facade::raise("option_invalid", "there is no such lease");
  return *session->lease;
}

facade::StoreAddress& address_of(Environment& environment, Napi::Value value) {
  return object_in<&Environment::addresses>(environment, value);
}

Session& session_of(Environment& environment, Napi::Value value) {
  return object_in<&Environment::sessions>(environment, value);
}

Napi::Value add_session(Environment& environment, Napi::Env env, Session session) {
  return Napi::Number::New(env, environment.sessions.add(std::make_unique<Session>(std::move(session))));
}

namespace {

facade::NamespaceTask& task_of(Environment& environment, Napi::Value value) {
  Session& session = session_of(environment, value);
  if (!session.task) facade::raise("option_invalid", "there is no such task");
  return *session.task;
}

Napi::Value add_address(Environment& environment, Napi::Env env, facade::StoreAddress address) {
  return Napi::Number::New(env, environment.addresses.add(std::make_unique<facade::StoreAddress>(std::move(address))));
}

// Addresses.

// (text) -> boolean
Napi::Value is_store_address(Environment&, const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(info.Env(), facade::is_store_address(option_text(info[0])));
}

// (url) -> address
Napi::Value parse_address(Environment& environment, const Napi::CallbackInfo& info) {
  return add_address(environment, info.Env(), facade::StoreAddress::parse(text_of(info[0], "worker_source_invalid")));
}

// (url) -> address
Napi::Value parse_ticket_server(Environment& environment, const Napi::CallbackInfo& info) {
  return add_address(environment, info.Env(),
                     facade::StoreAddress::parse_ticket_server(text_of(info[0], "worker_source_invalid")));
}

// (kind, shown) -> address
Napi::Value new_address(Environment& environment, const Napi::CallbackInfo& info) {
  return add_address(environment, info.Env(), facade::StoreAddress(option_text(info[0]), option_text(info[1])));
}

// (address, name, value)
Napi::Value set_address(Environment& environment, const Napi::CallbackInfo& info) {
  address_of(environment, info[0]).set(option_text(info[1]), option_text(info[2]));
  return info.Env().Undefined();
}

// (address) -> { kind, client, shown, name }
Napi::Value describe_address(Environment& environment, const Napi::CallbackInfo& info) {
  const facade::StoreAddress& address = address_of(environment, info[0]);
  auto result = Napi::Object::New(info.Env());
  result.Set("kind", address.kind());
  result.Set("client", address.client());
  result.Set("shown", address.shown());
  result.Set("name", address.name());
  return result;
}

// Conversations.

// (address, layout, placeholder) -> lease
Napi::Value new_lease(Environment& environment, const Napi::CallbackInfo& info) {
  const facade::Lease lease(address_of(environment, info[0]), option_text(info[1]), option_text(info[2]));
  return add_session(environment, info.Env(), {static_cast<const facade::StoreSession&>(lease), lease, {}, {}});
}

Napi::Value add_task(Environment& environment, Napi::Env env, const facade::NamespaceTask& task) {
  return add_session(environment, env, {static_cast<const facade::StoreSession&>(task), {}, {}, task});
}

// (address, layout, placeholder, fresh) -> task
Napi::Value init_task(Environment& environment, const Napi::CallbackInfo& info) {
  const bool fresh = info[3].IsBoolean() && info[3].As<Napi::Boolean>().Value();
  return add_task(
      environment, info.Env(),
      facade::NamespaceTask::init(address_of(environment, info[0]), option_text(info[1]), option_text(info[2]), fresh));
}

// (address, layout, placeholder, Unix ms, lower) -> task
Napi::Value raise_floor_task(Environment& environment, const Napi::CallbackInfo& info) {
  const bool lower = info[4].IsBoolean() && info[4].As<Napi::Boolean>().Value();
  return add_task(environment, info.Env(),
                  facade::NamespaceTask::raise_floor(address_of(environment, info[0]), option_text(info[1]),
                                                     option_text(info[2]), int64_of(info[3], "option_invalid"), lower));
}

// (task), of initTask
Napi::Value fence(Environment& environment, const Napi::CallbackInfo& info) {
  task_of(environment, info[0]).fence();
  return info.Env().Undefined();
}

// (task, names), of raiseFloorTask
Napi::Value name_copies(Environment& environment, const Napi::CallbackInfo& info) {
  task_of(environment, info[0]).name_copies(option_text(info[1]));
  return info.Env().Undefined();
}

// (address, layout, placeholder) -> task
Napi::Value leases_task(Environment& environment, const Napi::CallbackInfo& info) {
  return add_task(
      environment, info.Env(),
      facade::NamespaceTask::leases(address_of(environment, info[0]), option_text(info[1]), option_text(info[2])));
}

// (conversation) -> { what, number, name, parts, sleepMs }
Napi::Value step(Environment& environment, const Napi::CallbackInfo& info) {
  const facade::StoreStep step = session_of(environment, info[0]).session.step();
  const Napi::Env env = info.Env();
  auto parts = Napi::Array::New(env, step.part_count());
  for (std::uint32_t i = 0; i < step.part_count(); ++i) parts.Set(i, array_of(env, step.part(i)));
  auto result = Napi::Object::New(env);
  result.Set("what", step.what);
  result.Set("number", number(env, step.number));
  result.Set("name", step.name);
  result.Set("parts", parts);
  result.Set("sleepMs", number(env, step.sleep_ms));
  return result;
}

void add_row(facade::StoreReply& reply, Napi::Value row) {
  if (!row.IsArray()) facade::raise("option_invalid", "a row is an array of strings and nulls");
  const auto values = row.As<Napi::Array>();
  reply.begin_row();
  for (std::uint32_t i = 0; i < values.Length(); ++i) {
    const Napi::HandleScope scope(row.Env());
    const Napi::Value value = values.Get(i);
    if (value.IsNull()) {
      reply.add_nothing();
    } else {
      reply.add(option_text(value));
    }
  }
}

// (conversation, number of the command, rows) -> whether the connection is still usable
Napi::Value deliver(Environment& environment, const Napi::CallbackInfo& info) {
  if (!info[1].IsNumber() || !info[2].IsArray()) facade::raise("option_invalid", "expected a number and rows");
  facade::StoreReply reply;
  const auto rows = info[2].As<Napi::Array>();
  for (std::uint32_t i = 0; i < rows.Length(); ++i) {
    const Napi::HandleScope scope(info.Env());
    add_row(reply, rows.Get(i));
  }
  const bool keeps = session_of(environment, info[0]).session.deliver(info[1].As<Napi::Number>().Int64Value(), reply);
  return Napi::Boolean::New(info.Env(), keeps);
}

// (conversation, number of the command, code, reason)
Napi::Value fail(Environment& environment, const Napi::CallbackInfo& info) {
  if (!info[1].IsNumber()) facade::raise("option_invalid", "expected the number of a command");
  session_of(environment, info[0])
      .session.fail(info[1].As<Napi::Number>().Int64Value(), option_text(info[2]), option_text(info[3]));
  return info.Env().Undefined();
}

// (conversation, seconds east of UTC or null): answers a step 'offset'
Napi::Value tell_offset(Environment& environment, const Napi::CallbackInfo& info) {
  facade::StoreSession& session = session_of(environment, info[0]).session;
  if (info[1].IsNull()) {
    session.tell_no_offset();
  } else if (info[1].IsNumber()) {
    session.tell_offset(info[1].As<Napi::Number>().Int64Value());
  } else {
    facade::raise("option_invalid", "expected the seconds of an offset, or null");
  }
  return info.Env().Undefined();
}

// (conversation) -> statements for a new connection
Napi::Value setup(Environment& environment, const Napi::CallbackInfo& info) {
  return array_of(info.Env(), session_of(environment, info[0]).session.setup());
}

// Leases and counters.

// Calls with what a runner keeps: a lease, or a counter, which has the same functions.
template <class Call>
auto with_held(Environment& environment, Napi::Value value, Call call) {
  Session& session = session_of(environment, value);
  if (session.counter) return call(*session.counter);
  return call(lease_of(environment, index_of(value)));
}

// (held) -> { granted, acquireTimeoutMs, commandTimeoutMs, namespaceUuid }
Napi::Value describe_held(Environment& environment, const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  auto result = Napi::Object::New(env);
  with_held(environment, info[0], [&](const auto& held) {
    result.Set("granted", held.granted());
    result.Set("acquireTimeoutMs", number(env, held.acquire_timeout_ms()));
    result.Set("commandTimeoutMs", number(env, held.command_timeout_ms()));
    result.Set("namespaceUuid", held.namespace_uuid());
  });
  return result;
}

// (held); throws the reason why no window or number comes
Napi::Value raise_failure(Environment& environment, const Napi::CallbackInfo& info) {
  with_held(environment, info[0], [](const auto& held) { held.raise_failure(); });
  return info.Env().Undefined();
}

// (lease)
Napi::Value hurry(Environment& environment, const Napi::CallbackInfo& info) {
  lease_of(environment, index_of(info[0])).hurry();
  return info.Env().Undefined();
}

// (held) -> [level, line], or [] if there is nothing to report
Napi::Value take_report(Environment& environment, const Napi::CallbackInfo& info) {
  return array_of(info.Env(), with_held(environment, info[0], [](auto& held) { return held.take_report(); }));
}

// (held)
Napi::Value release(Environment& environment, const Napi::CallbackInfo& info) {
  with_held(environment, info[0], [](auto& held) { held.release(); });
  return info.Env().Undefined();
}

// Results of tasks.

// (task) -> uuid of the namespace
Napi::Value task_uuid(Environment& environment, const Napi::CallbackInfo& info) {
  return Napi::String::New(info.Env(), task_of(environment, info[0]).uuid());
}

// (task) -> [{ node, untilMs, label }...]
Napi::Value task_leases(Environment& environment, const Napi::CallbackInfo& info) {
  const facade::NamespaceTask& task = task_of(environment, info[0]);
  const Napi::Env env = info.Env();
  auto all = Napi::Array::New(env, task.count());
  for (std::uint32_t i = 0; i < task.count(); ++i) {
    auto one = Napi::Object::New(env);
    one.Set("node", Napi::BigInt::New(env, task.node(i)));
    one.Set("untilMs", number(env, task.until_ms(i)));
    one.Set("label", task.label(i));
    all.Set(i, one);
  }
  return all;
}

}  // namespace

void add_lease(Napi::Object exports, Environment& environment) {
  add<is_store_address>(exports, "isStoreAddress", environment);
  add<parse_address>(exports, "parseAddress", environment);
  add<parse_ticket_server>(exports, "parseTicketServer", environment);
  add<new_address>(exports, "newAddress", environment);
  add<forget<&Environment::addresses>>(exports, "forgetAddress", environment);
  add<set_address>(exports, "setAddress", environment);
  add<describe_address>(exports, "describeAddress", environment);
  add<new_lease>(exports, "newLease", environment);
  add<init_task>(exports, "initTask", environment);
  add<raise_floor_task>(exports, "raiseFloorTask", environment);
  add<leases_task>(exports, "leasesTask", environment);
  add<fence>(exports, "fence", environment);
  add<name_copies>(exports, "nameCopies", environment);
  add<forget<&Environment::sessions>>(exports, "forgetSession", environment);
  add<step>(exports, "step", environment);
  add<deliver>(exports, "deliver", environment);
  add<fail>(exports, "fail", environment);
  add<tell_offset>(exports, "tellOffset", environment);
  add<setup>(exports, "setup", environment);
  add<describe_held>(exports, "describeHeld", environment);
  add<raise_failure>(exports, "raiseFailure", environment);
  add<hurry>(exports, "hurry", environment);
  add<release>(exports, "release", environment);
  add<take_report>(exports, "takeReport", environment);
  add<task_uuid>(exports, "taskUuid", environment);
  add<task_leases>(exports, "taskLeases", environment);
}

}  // namespace polyflake::node
