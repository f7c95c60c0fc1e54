#include "facade.hpp"

#include <new>
#include <stdexcept>
#include <utility>

namespace polyflake::facade {

std::string version() { return POLYFLAKE_VERSION; }

std::vector<std::string> preset_names() { return polyflake::Layout::preset_names(); }

// --- failures ------------------------------------------------------------------------------------

namespace {

// The options that languages spell differently.
constexpr struct {
  const char* snake;
  const char* camel;
  const char* builder;
} kOptionNames[] = {
    {"max_wait_ms", "maxWaitMs", "maxWait"},
    {"max_lead_ms", "maxLeadMs", "maxLead"},
    {"sequence_spread", "sequenceSpread", "sequenceSpread"},
};

// Text that a caller passed stands in quotes and stays as it is.
void respell(std::string& message, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = message.find(from, at)) != std::string::npos; at += to.size()) {
    if (at > 0 && message[at - 1] == '\'') continue;
    message.replace(at, from.size(), to);
  }
}

std::string spelled(std::string message, Spelling spelling) {
  if (spelling == Spelling::snake) return message;
  for (const auto& [snake, camel, builder] : kOptionNames) {
    respell(message, snake, spelling == Spelling::camel ? camel : builder);
  }
  return message;
}

}  // namespace

Failure current_failure(Spelling spelling) noexcept {
  try {
    try {
      throw;
    } catch (const Error& error) {
      return {error.code_name(), name(error.kind()), spelled(error.what(), spelling)};
    } catch (const std::bad_alloc&) {
      return {"out_of_memory", "", "out of memory"};
    } catch (const std::exception& error) {
      return {"internal", "", error.what()};
    } catch (...) {
      return {"internal", "", "unknown exception"};
    }
  } catch (...) {
    return {"out_of_memory", "", ""};  // no memory even to say more
  }
}

std::vector<Failure> error_table() {
  std::vector<Failure> table;
  for (const ErrorInfo& row : kErrorTable) table.push_back({row.name, name(row.kind), ""});
  return table;
}

void raise(const std::string& code, const std::string& message) {
  for (const ErrorInfo& row : kErrorTable) {
    if (code == row.name) throw Error(row.code, message);
  }
  throw std::invalid_argument("no such error code: " + code);
}

// --- text ----------------------------------------------------------------------------------------

std::string to_text(std::uint64_t id, const std::string& codec) { return polyflake::to_text(id, codec); }

std::uint64_t from_text(const std::string& text, const std::string& codec) { return polyflake::from_text(text, codec); }

// --- layouts -------------------------------------------------------------------------------------

namespace {

std::uint64_t non_negative(const char* field, std::int64_t value) {
  if (value >= 0) return static_cast<std::uint64_t>(value);
  throw Error(ErrorCode::field_out_of_range, "field '" + std::string(field) + "' cannot hold " + std::to_string(value));
}

}  // namespace

Layout::Layout(const std::string& text_or_preset) : layout_(text_or_preset) {}

std::string Layout::text() const { return layout_.text(); }

std::vector<std::string> Layout::field_names() const {
  std::vector<std::string> names;
  for (const Field& field : layout_.fields()) names.push_back(field.name);
  return names;
}

std::vector<int> Layout::field_widths() const {
  std::vector<int> widths;
  for (const Field& field : layout_.fields()) widths.push_back(static_cast<int>(field.width));
  return widths;
}

std::vector<std::string> Layout::node_fields() const {
  std::vector<std::string> names;
  for (const Field& field : layout_.node_fields()) names.push_back(field.name);
  return names;
}

std::int64_t Layout::tick_ms() const { return layout_.tick_ms(); }

std::int64_t Layout::epoch_ms() const { return layout_.epoch_ms(); }

std::uint64_t Layout::encode(std::uint64_t tick, std::int64_t sequence, const std::vector<std::string>& names,
                             const std::vector<std::int64_t>& values) const {
  std::uint64_t node = 0;
  for (std::size_t i = 0; i < names.size(); ++i) node |= layout_.node_with(names[i], values.at(i));
  return layout_.pack(tick, node, non_negative("sequence", sequence));
}

std::uint64_t Layout::encode_tick(std::int64_t tick, std::int64_t sequence, const std::vector<std::string>& names,
                                  const std::vector<std::int64_t>& values) const {
  return encode(non_negative("timestamp", tick), sequence, names, values);
}

std::uint64_t Layout::encode_time(std::int64_t unix_ms, std::int64_t sequence, const std::vector<std::string>& names,
                                  const std::vector<std::int64_t>& values) const {
  return encode(layout_.tick_at(unix_ms), sequence, names, values);
}

Parts Layout::decode(std::uint64_t id) const {
  polyflake::Parts parts = layout_.unpack(id);
  return {parts.time_ms, parts.tick, parts.sequence, parts.node, std::move(parts.fields)};
}

std::uint64_t Layout::first_id(std::int64_t unix_ms) const { return layout_.first_id(unix_ms); }

std::uint64_t Layout::last_id(std::int64_t unix_ms) const { return layout_.last_id(unix_ms); }

// --- generators ----------------------------------------------------------------------------------

ManualClock::ManualClock(std::int64_t time_ms) : clock_(std::make_shared<polyflake::ManualClock>(time_ms)) {}

void ManualClock::set(std::int64_t time_ms) { clock_->set(time_ms); }

void ManualClock::advance(std::int64_t ms) { clock_->advance(ms); }

std::int64_t ManualClock::time_ms() const { return clock_->time_ms(); }

std::int64_t sleep_ns(std::int64_t ns) { return polyflake::sleep_ns(ns); }

void Options::set_layout(const std::string& text_or_preset) { options_.layout = polyflake::Layout(text_or_preset); }

void Options::set_worker_number(std::int64_t node_id) { options_.worker = node_id; }

void Options::set_worker_fields(const std::vector<std::string>& names, const std::vector<std::int64_t>& values) {
  Worker::Fields fields;
  for (std::size_t i = 0; i < names.size(); ++i) fields[names[i]] = values.at(i);
  options_.worker = std::move(fields);
}

void Options::set_worker_text(const std::string& source) { options_.worker = source; }

void Options::set_max_wait_ms(std::int64_t ms) { options_.max_wait_ms = ms; }

void Options::set_max_lead_ms(std::int64_t ms) { options_.max_lead_ms = ms; }

void Options::set_sequence_spread(std::int64_t spread) { options_.sequence_spread = spread; }

void Options::set_ordering(const std::string& ordering) { options_.ordering = parse_ordering(ordering); }

void Options::set_clock(const ManualClock& clock) { options_.clock = clock.clock_; }

Generator::Generator(const Options& options) : generator_(options.options_), claims_(generator_) {}

std::uint64_t execution() { return Execution::current(); }

GeneratorState Generator::state() const {
  const polyflake::GeneratorState state = generator_.state();
  return {name_of(state.name), state.code ? info(*state.code).name : ""};
}

std::string take_warning() { return polyflake::take_warning(); }

void release_all() noexcept { polyflake::release_all(); }

std::uint64_t Generator::worker() const { return generator_.worker(); }

std::string Generator::layout() const { return generator_.layout().text(); }

Stats Generator::stats() const {
  const polyflake::Stats stats = generator_.stats();
  return {stats.issued,         stats.waits,    stats.waited_ms, stats.sequence_exhaustions, stats.clock_steps_back,
          stats.largest_step_back_ms, stats.lead_ms, stats.until_ms,  stats.years_left};
}

}  // namespace polyflake::facade
