#include "open/etcd_texts.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <vector>

#include "open/base64.hpp"

namespace polyflake::etcd {
namespace {

using Json = nlohmann::json;
using Part = std::vector<std::string>;

[[noreturn]] void refuse() { throw lease::CommandFailure("", "this is no command for etcd"); }
[[noreturn]] void misunderstood() { throw lease::CommandFailure("", "this is no answer of etcd"); }

bool is(const Part& part, const char* what, std::size_t words) { return part.size() == words && part[0] == what; }
bool is_get(const Part& part) { return is(part, "get", 2) || is(part, "keys", 3); }
bool is_put(const Part& part) { return is(part, "put", 3); }

Json comparison(const Part& part) {
  Json json{{"key", to_base64(part[1])}, {"result", "EQUAL"}};
  if (part[2] == "create") {
    json["target"] = "CREATE";
    json["create_revision"] = part[3];
  } else if (part[2] == "value") {
    json["target"] = "VALUE";
    json["value"] = to_base64(part[3]);
  } else {
    refuse();
  }
  return json;
}

Json range(const Part& part) {
  Json json{{"key", to_base64(part[1])}};
  if (is(part, "keys", 3)) {
    json["range_end"] = to_base64(part[2]);
    json["keys_only"] = true;
  }
  return {{"request_range", json}};
}

Json put(const Part& part) { return {{"request_put", {{"key", to_base64(part[1])}, {"value", to_base64(part[2])}}}}; }

// Return a member; what the gateway leaves out is empty. Errors: CommandFailure if it is of another
// type.
const Json& member(const Json& json, const char* name, Json::value_t type) {
  static const Json no_list = Json::array();
  if (!json.is_object()) misunderstood();
  const auto found = json.find(name);
  if (found == json.end() && type == Json::value_t::array) return no_list;
  if (found == json.end() || found->type() != type) misunderstood();
  return *found;
}

std::string text(const Json& json, const char* name) {
  return member(json, name, Json::value_t::string).get<std::string>();
}

std::string bytes(const Json& json, const char* name) {
  if (!json.is_object()) misunderstood();
  if (!json.contains(name)) return "";  // it is empty
  auto decoded = from_base64(text(json, name));
  if (!decoded) misunderstood();
  return std::move(*decoded);
}

Json parsed(const std::string& answer) {
  Json json = Json::parse(answer, nullptr, false);
  if (json.is_discarded()) misunderstood();
  return json;
}

lease::Row row_of(const Json& response, const Part& get) {
  const Json& found = member(member(response, "response_range", Json::value_t::object), "kvs", Json::value_t::array);
  lease::Row row;
  for (const Json& one : found) {
    if (is(get, "keys", 3)) {
      row.emplace_back(bytes(one, "key"));
    } else {
      return {bytes(one, "value"), text(one, "create_revision")};
    }
  }
  return row;
}

}  // namespace

std::string transaction_of(const lease::Command& command) {
  if (command.name != "txn") refuse();
  Json compares = Json::array(), puts = Json::array(), gets = Json::array();
  for (const Part& part : command.parts) {
    if (is(part, "compare", 4)) compares.push_back(comparison(part));
    else if (is_put(part)) puts.push_back(put(part));
    else if (is_get(part)) gets.push_back(range(part));
    else refuse();
  }
  Json success = std::move(puts);
  success.insert(success.end(), gets.begin(), gets.end());
  const Json whole{{"compare", std::move(compares)}, {"success", std::move(success)}, {"failure", std::move(gets)}};
  return whole.dump(-1, ' ', false, Json::error_handler_t::replace);
}

lease::Reply rows_of(const std::string& answer, std::optional<std::int64_t> date_ms, const lease::Command& command) {
  const Json json = parsed(answer);
  const Json& header = member(json, "header", Json::value_t::object);
  const bool succeeded = json.contains("succeeded") && member(json, "succeeded", Json::value_t::boolean).get<bool>();
  lease::Reply rows{{succeeded ? "ok" : "refused", text(header, "cluster_id"), text(header, "revision"), std::nullopt}};
  if (date_ms) rows.front().back() = std::to_string(*date_ms);
  const Json& responses = member(json, "responses", Json::value_t::array);
  const auto puts = std::count_if(command.parts.begin(), command.parts.end(), is_put);
  std::size_t at = succeeded ? static_cast<std::size_t>(puts) : 0;
  for (const Part& part : command.parts) {
    if (!is_get(part)) continue;
    if (at >= responses.size()) misunderstood();
    rows.push_back(row_of(responses[at++], part));
  }
  if (at != responses.size()) misunderstood();
  return rows;
}

std::string login_of(const Login& login) {
  const Json json{{"name", login.user}, {"password", login.password}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string token_in(const std::string& answer) {
  std::string token = text(parsed(answer), "token");
  const bool fits = std::all_of(token.begin(), token.end(), [](char c) { return c > ' ' && c <= '~'; });
  if (!fits || token.empty()) misunderstood();
  return token;
}

}  // namespace polyflake::etcd
