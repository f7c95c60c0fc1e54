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
#include <polyflake/carrier.hpp>

#include <cstdint>
#include <exception>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "counter_requests.hpp"
#include "lease/record.hpp"
#include "lease_scenarios.hpp"
#include "open/carried_store.hpp"

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

// Carries commands over the lines of this program. Each client is another connection at the other end.
class OverLines final : public Carrier {
 public:
  explicit OverLines(std::string client) : client_(std::move(client)) {}

  lease::Reply carry(const lease::Command& command, std::int64_t) override {
    say({{"client", client_}, {"setup", setup_}, {"name", command.name}, {"parts", command.parts}});
    const Json reply = heard();
    if (reply.contains("rows")) return reply_of(reply.at("rows"));
    throw lease::CommandFailure(reply.at("code"), reply.at("reason"));
  }
  void drop() override {}  // the other end does it after a failure
  void set_up(const std::vector<std::string>& statements) override { setup_ = statements; }

 private:
  const std::string client_;
  std::vector<std::string> setup_;
};

Json result_of(const Json& request, const std::string& kind, lease::Placeholder placeholder,
               std::map<std::string, Client>& clients) {
  const auto store = [&](const std::string& name, const std::string& client) {
    return make_carried_store(kind, {name, "", "", placeholder}, std::make_shared<OverLines>(client));
  };
  const std::int64_t now_ms = lease::system_time().wall_ms;
  if (request.contains("scenarios")) {
    const std::string prefix = lease::to_text(lease::SystemRandom().word()).substr(0, 16);
    const Passed passed = run_scenarios(request.at("scenarios"), kind, prefix, now_ms, store);
    return {{"meant", passed.meant}, {"failures", passed.failures}};
  }
  const std::string name = request.at("namespace");
  if (request.contains("counter")) {
    const Compared compared =
        compare_with_rules(*store(name, name), request.at("counter"), request.at("requests"), request.at("seed"));
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
