#include "http/http_pages.hpp"

#include <polyflake/instant.hpp>
#include <polyflake/text.hpp>

#include "http/json.hpp"

namespace polyflake::server {
namespace {

void add_readiness(const Service::Queues& queues, JsonObject& keys, std::string& page) {
  for (const auto& [name, queue] : queues) {
    const Source::State state = queue->source().state();
    keys.open(name);
    JsonObject key(page);
    key.boolean("ready", state.ready);
    if (state.code.empty()) key.none("code");
    else key.text("code", state.code);
    key.end();
  }
}

void add_generator(const std::string& name, Source& source, std::string& page) {
  const Source::State state = source.state();
  JsonObject generator(page);
  generator.text("name", name);
  if (source.layout() == nullptr) generator.none("layout");
  else generator.text("layout", source.layout()->text());
  if (state.node < 0) generator.none("node");
  else generator.decimal("node", static_cast<std::uint64_t>(state.node));
  if (state.until_ms == 0) generator.none("until_ms");
  else generator.number("until_ms", state.until_ms);
  generator.end();
}

}  // namespace

std::string live_page() { return R"({"live":true})"; }

std::string ready_page(const Service& service) {
  std::string page;
  JsonObject json(page);
  json.boolean("ready", service.ready());
  json.boolean("draining", service.draining());
  json.open("keys");
  JsonObject keys(page);
  add_readiness(service.generators(), keys, page);
  add_readiness(service.counters(), keys, page);
  keys.end();
  json.end();
  return page;
}

std::string generators_page(const Service& service) {
  std::string page;
  JsonObject json(page);
  json.open("generators");
  page += '[';
  for (const auto& [name, queue] : service.generators()) {
    if (page.back() != '[') page += ',';
    add_generator(name, queue->source(), page);
  }
  page += ']';
  json.open("counters");
  page += '[';
  for (const auto& [name, queue] : service.counters()) {
    if (page.back() != '[') page += ',';
    append_json_text(name, page);
  }
  page += ']';
  json.end();
  return page;
}

std::string decoded_page(const Layout& layout, std::string_view text) {
  const std::uint64_t id = id_from_text(text);
  const Parts parts = layout.unpack(id);
  std::string page;
  JsonObject json(page);
  json.decimal("id", id);
  json.text("layout", layout.text());
  json.text("time", to_utc(parts.time_ms));
  json.number("time_ms", parts.time_ms);
  json.decimal("tick", parts.tick);
  json.decimal("node", parts.node);
  json.number("sequence", parts.sequence);
  json.open("fields");
  JsonObject fields(page);
  for (std::size_t i = 0; i < parts.fields.size(); ++i) fields.number(layout.node_fields()[i].name, parts.fields[i]);
  fields.end();
  json.end();
  return page;
}

std::string leaf_decoded_page(const Layout& layout, std::string_view text) {
  const Parts parts = layout.unpack(id_from_text(text));
  std::string time = to_utc(parts.time_ms);  // 2026-01-01T00:00:00.000Z
  time.pop_back();
  time[time.find('T')] = ' ';
  std::string page;
  JsonObject json(page);
  json.text("timestamp", std::to_string(parts.time_ms) + '(' + time + ')');
  json.decimal("sequenceId", parts.sequence);
  json.decimal("workerId", parts.node);
  json.end();
  return page;
}

}  // namespace polyflake::server
