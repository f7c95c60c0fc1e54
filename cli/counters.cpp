// polyflake counters: the counters of a namespace in a store, and where a failover would lead them.
#include <polyflake/counter_state.hpp>
#include <polyflake/text.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "instant.hpp"
#include "json.hpp"
#include "program.hpp"

namespace polyflake::cli {
namespace {

constexpr const char* kCountersExamples =
    "  polyflake counters 'redis://localhost/0?namespace=orders'\n"
    "  polyflake counters --json 'postgresql://localhost/app?namespace=orders'\n";

struct CountersOptions {
  std::string store;
  bool json = false;
};

// --- the rows of the host ------------------------------------------------------------------------

void read(const std::string& text, std::string& into) { into = text; }
void read(const std::string& text, bool& into) { into = text == "true"; }
template <class Number>
void read(const std::string& text, Number& into) {
  into = static_cast<Number>(from_text(text));
}
template <class Value>
void read(const std::string& text, std::optional<Value>& into) {
  if (!text.empty()) read(text, into.emplace());
}

// Errors: those of from_text(), if the host gives something else.
CounterState state_of(const Row& row) {
  CounterState state;
  std::size_t at = 0;
  state.each([&](const char*, auto& member) { read(row.at(at++), member); });
  return state;
}

// --- for people ----------------------------------------------------------------------------------

using Cells = std::array<std::string, 6>;

std::string after_failover(const CounterState& state) {
  const bool has_ceiling = state.top_up_age_ms.has_value();
  if (state.jump_to) return "jumps to " + std::to_string(*state.jump_to);
  if (state.failover == "jump" && has_ceiling) return "begins the next period";
  // Without a ceiling nothing is lost, unless the record was put back.
  if (state.failover == "stop" || (state.failover == "jump" && state.incarnation_changed)) {
    return "stops until raise-counter";
  }
  return state.incarnation_changed ? "goes on, unless the record was put back" : "goes on";
}

Cells cells_of(const CounterState& state) {
  const std::string kind =
      state.kind +
      (state.period_label ? " " + std::to_string(*state.period_label) + " " + state.zone.value_or("") : "");
  const std::string topped_up =
      state.top_up_age_ms ? duration(static_cast<std::uint64_t>(*state.top_up_age_ms)) + " ago" : "-";
  return {one_line(state.name),
          one_line(kind),
          std::to_string(state.next),
          std::to_string(state.room),
          topped_up,
          (state.incarnation_changed ? "the store has changed: now it " : "") + after_failover(state)};
}

void write_table(Program& program, const std::vector<CounterState>& states) {
  std::vector<Cells> lines{{"counter", "kind", "next", "room", "topped up", "after a failover"}};
  for (const CounterState& state : states) lines.push_back(cells_of(state));
  bool first = true;
  std::array<std::size_t, std::tuple_size_v<Cells>> widths{};
  for (const Cells& cells : lines) {
    for (std::size_t i = 0; i < cells.size(); ++i) widths[i] = std::max(widths[i], cells[i].size());
  }
  const Style style = program.style();
  for (const Cells& cells : lines) {
    std::string text;
    for (std::size_t i = 0; i + 1 < cells.size(); ++i)
      text += cells[i] + std::string(widths[i] + 3 - cells[i].size(), ' ');
    text += cells.back();
    program.out.write((std::exchange(first, false) ? style.dim(text) : text) + "\n");
  }
}

// --- as JSON -------------------------------------------------------------------------------------

void append(JsonObject& json, const char* name, const std::string& value) { json.said(name, value); }
void append(JsonObject& json, const char* name, bool value) { json.boolean(name, value); }
void append(JsonObject& json, const char* name, std::uint64_t value) { json.text(name, std::to_string(value)); }
void append(JsonObject& json, const char* name, std::int64_t value) { json.number(name, value); }
void append(JsonObject& json, const char* name, std::uint32_t value) { json.number(name, value); }
template <class Value>
void append(JsonObject& json, const char* name, const std::optional<Value>& value) {
  if (value) append(json, name, *value);
  else json.none(name);
}

Outcome run_counters(Program& program, const CountersOptions& options) {
  return Outcome({"counters", options.store, "", {}}, [&program, &options](const Rows& rows) {
    std::vector<CounterState> states;
    for (const Row& row : rows) states.push_back(state_of(row));
    if (!options.json) {
      write_table(program, states);
      return kWell;
    }
    for (const CounterState& state : states) {
      JsonObject json(program.out.buffer());
      state.each([&json](const char* name, const auto& value) { append(json, name, value); });
      json.end_line();
    }
    return kWell;
  });
}

}  // namespace

void add_counters(CLI::App& app, Program& program) {
  const auto [command, options] =
      add_command(app, program, "counters", "Say what the counters of a store give next, and after a failover",
                  kCountersExamples, run_counters);
  command.add_option("STORE", options.store, "Address of the store, with ?namespace=")->type_name("")->required();
  add_json(command, options.json, "each counter");
}

}  // namespace polyflake::cli
