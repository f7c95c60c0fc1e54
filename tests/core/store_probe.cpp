// A program that asks a store through the adapter of a language: store_probe KIND PLACEHOLDER
//
// Its lines are JSON. The first one of a request comes in:
//
//   {"scenarios": FILE}                    -> {"result": {"meant": 60, "failures": [text...]}}
//   {"namespace": NAME, "read": [node...]} -> {"result": {"names": record, node: record...}}
//   {"namespace": NAME, "cas": {...}}      -> {"result": outcome}
//   {"namespace": NAME, "create": COUNT}   -> {"result": {node: nonce...}}
//   {"namespace": NAME, "counter": NAME, "requests": COUNT, "seed": NUMBER}
//                                          -> {"result": {outcome: count..., "differences": [text...]}}
//
// or {"error": text}. The last one puts random requests to a counter and compares each answer with the rules of
// counter_store.hpp. The three before are Client::read(), cas() and create() of one client per namespace. Meanwhile commands go out, as the dialects in core/src/lease describe them, one at a time, each on the
// connection of its client: {"client", "setup", "name", "parts"}. To each comes {"rows": [[text or null...]...]}, or
// {"code", "reason"} of a failure, after which that client gets another connection.
#include <polyflake/error.hpp>

#include <cstdint>
#include <exception>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "count/requests.hpp"
#include "counter_requests.hpp"
#include "lease/record.hpp"
#include "lease/store_session.hpp"
#include "lease_scenarios.hpp"

namespace polyflake::test {
namespace {

void say(const Json& line) { std::cout << line.dump() << std::endl; }

Json heard() {
  std::string line;
  if (!std::getline(std::cin, line)) throw std::runtime_error("the input has ended");
  return Json::parse(line);
}

lease::Reply reply_of(const Json& rows) {
  lease::Reply reply;
  for (const Json& row : rows) {
    reply.emplace_back();
    for (const Json& text : row) {
      reply.back().push_back(text.is_null() ? std::nullopt : std::optional(text.get<std::string>()));
    }
  }
  return reply;
}

// Carries what a session says until its asker was told.
void carry_out(lease::StoreSession& session, const std::string& client) {
  for (;;) {
    const lease::StoreSession::Step step = session.step();
    if (!step.command) return;
    say({{"client", client},
         {"setup", session.store().setup()},
         {"name", step.command->name},
         {"parts", step.command->parts}});
    const Json reply = heard();
    if (!reply.contains("rows")) {
      session.fail(step.number, reply.at("code"), reply.at("reason"));
    } else if (!session.deliver(step.number, reply_of(reply.at("rows")))) {
      throw std::runtime_error("the reply answers no request, or another: " + reply.dump());
    }
  }
}

class CarriedStore final : public Store, private lease::Asker {
 public:
  CarriedStore(std::unique_ptr<lease::Dialect> dialect, std::string client)
      : session_(lease::requests_of(*this, std::move(dialect))), client_(std::move(client)) {}

  lease::Contents read(const lease::Read& read) override {
    lease::Action action{lease::Action::Kind::read};
    action.read = read;
    carry_out(std::move(action));
    return contents_;
  }

  lease::Answer cas(const lease::Cas& request) override {
    lease::Action action{lease::Action::Kind::cas};
    action.cas = request;
    carry_out(std::move(action));
    return answer_;
  }

 private:
  void carry_out(lease::Action action) {
    action_ = std::move(action);
    reason_.clear();
    test::carry_out(session_, client_);
    if (!reason_.empty()) throw Error(ErrorCode::store_unavailable, reason_);
  }

  lease::Action next() override {
    return std::exchange(action_, std::nullopt).value_or(lease::Action{lease::Action::Kind::done});
  }
  void deliver(std::uint64_t, const lease::Contents& contents) override { contents_ = contents; }
  void deliver(std::uint64_t, const lease::Answer& answer) override { answer_ = answer; }
  void deliver_nothing(std::uint64_t, const std::string& reason) override { reason_ = "nothing: " + reason; }

  lease::StoreSession session_;
  const std::string client_;
  std::optional<lease::Action> action_;
  lease::Contents contents_;
  lease::Answer answer_;
  std::string reason_;
};

class CarriedCounters final : public CounterStore, private count::Asker {
 public:
  CarriedCounters(std::unique_ptr<count::Dialect> dialect, std::string client)
      : session_(count::requests_of(*this, std::move(dialect))), client_(std::move(client)) {}

  count::Contents read_counter(const std::string&) override {
    carry_out(count::Action{count::Action::Kind::read});
    return contents_;
  }
  count::Names counter_names() override { return std::nullopt; }  // its requests never ask for them
  count::Answer add(const count::Add& request) override {
    count::Action action{count::Action::Kind::add};
    action.add = request;
    return carry_out(std::move(action));
  }
  count::Answer write_head(const count::WriteHead& request) override {
    count::Action action{count::Action::Kind::head};
    action.head = request;
    return carry_out(std::move(action));
  }
  count::Answer back(const count::Back& request) override {
    count::Action action{count::Action::Kind::back};
    action.back = request;
    return carry_out(std::move(action));
  }

 private:
  count::Answer carry_out(count::Action action) {
    action_ = std::move(action);
    reason_.clear();
    test::carry_out(session_, client_);
    if (!reason_.empty()) throw Error(ErrorCode::store_unavailable, reason_);
    return answer_;
  }

  count::Action next() override {
    return std::exchange(action_, std::nullopt).value_or(count::Action{count::Action::Kind::done});
  }
  void deliver(std::uint64_t, const count::Contents& contents) override { contents_ = contents; }
  void deliver(std::uint64_t, const count::Answer& answer) override { answer_ = answer; }
  void deliver_nothing(std::uint64_t, const std::string& reason) override { reason_ = "nothing: " + reason; }

  lease::StoreSession session_;
  const std::string client_;
  std::optional<count::Action> action_;
  count::Contents contents_;
  count::Answer answer_;
  std::string reason_;
};

Json result_of(const Json& request, const std::string& kind, lease::Placeholder placeholder,
               std::map<std::string, Client>& clients) {
  const auto store = [&](const std::string& name, const std::string& client) {
    return std::make_shared<CarriedStore>(lease::make_dialect(kind, name, "", placeholder), client);
  };
  const std::int64_t now_ms = lease::system_time().wall_ms;
  if (request.contains("scenarios")) {
    const std::string prefix = lease::to_text(lease::SystemRandom().word()).substr(0, 16);
    const Passed passed = run_scenarios(request.at("scenarios"), kind, prefix, now_ms, store);
    return {{"meant", passed.meant}, {"failures", passed.failures}};
  }
  const std::string name = request.at("namespace");
  if (request.contains("counter")) {
    CarriedCounters counters(count::make_dialect(kind, {name, request.at("counter"), "", placeholder}), name);
    const Compared compared =
        compare_with_rules(counters, request.at("counter"), request.at("requests"), request.at("seed"));
    Json result = compared.outcomes;
    result["differences"] = compared.differences;
    return result;
  }
  auto client = clients.find(name);
  if (client == clients.end()) client = clients.try_emplace(name, store(name, name), now_ms).first;
  if (request.contains("read")) return client->second.read(request.at("read"));
  if (request.contains("cas")) return client->second.cas(request.at("cas"));
  return client->second.create(request.at("create"));
}

}  // namespace
}  // namespace polyflake::test

int main(int count, char** arguments) {
  using namespace polyflake;
  if (count != 3) return 2;
  const std::string kind = arguments[1];
  const auto placeholder =
      std::string(arguments[2]) == "%s" ? lease::Placeholder::format : lease::Placeholder::question;
  std::map<std::string, test::Client> clients;
  for (std::string line; std::getline(std::cin, line);) {
    try {
      test::say({{"result", test::result_of(test::Json::parse(line), kind, placeholder, clients)}});
    } catch (const std::exception& error) {
      test::say({{"error", error.what()}});
    }
  }
  return 0;
}
