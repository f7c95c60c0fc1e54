#include "facade/options.hpp"

#include <polyflake/detail/option_table.hpp>
#include <polyflake/error.hpp>

#include <string_view>
#include <utility>
#include <variant>

#include "facade/counter.hpp"
#include "facade/lease_state.hpp"
#include "kinds/kind.hpp"

namespace polyflake::facade {
namespace {

constexpr std::string_view kUnit = "Ms";

const Kind& known_kind(const std::string& name) {
  if (const Kind* const kind = find_kind(name)) return *kind;
  throw Error(ErrorCode::unknown_kind, "there is no kind " + quoted(name) + " in this library");
}

}  // namespace

std::string spelled(const std::string& snake, Spelling spelling) {
  if (spelling == Spelling::snake) return snake;
  std::string camel;
  for (std::size_t i = 0; i < snake.size(); ++i) {
    if (snake[i] != '_') camel += i > 0 && snake[i - 1] == '_' ? static_cast<char>(snake[i] - 'a' + 'A') : snake[i];
  }
  // A builder of Java takes a Duration, which has no unit.
  const bool has_unit =
      camel.size() > kUnit.size() && camel.compare(camel.size() - kUnit.size(), kUnit.size(), kUnit) == 0;
  if (spelling == Spelling::builder && has_unit) camel.resize(camel.size() - kUnit.size());
  return camel;
}

std::vector<std::string> number_options_of(const std::string& kind) {
  const Kind& known = known_kind(kind);
  std::vector<std::string> names;
  if (!known.has_positions()) return names;  // its calls never wait
  for (const NumberOption& option : number_options()) {
    if (option.of_time || known.is_number()) names.emplace_back(option.name);
  }
  return names;
}

ManualClock::ManualClock(std::int64_t time_ms) : clock_(std::make_shared<polyflake::ManualClock>(time_ms)) {}

void ManualClock::set(std::int64_t time_ms) { clock_->set(time_ms); }

void ManualClock::advance(std::int64_t ms) { clock_->advance(ms); }

std::int64_t ManualClock::time_ms() const { return clock_->time_ms(); }

void Options::set_layout(const std::string& text_or_preset) {
  options_.layout = polyflake::Layout(text_or_preset);
  has_layout_ = true;
}

void Options::set_worker_number(std::int64_t node_id) { options_.worker = node_id; }

void Options::set_worker_fields(const std::vector<std::string>& names, const std::vector<std::int64_t>& values) {
  Worker::Fields fields;
  for (std::size_t i = 0; i < names.size(); ++i) fields[names[i]] = values.at(i);
  options_.worker = std::move(fields);
}

void Options::set_worker_text(const std::string& source) { options_.worker = source; }

void Options::set_worker_lease(const Lease& lease) { options_.worker = Worker(lease.held_->lease); }

void Options::set_counter(const Counter& counter) { counter_ = counter.counter_; }

void Options::set_number(const std::string& name, std::int64_t value) {
  for (const NumberOption& option : polyflake::number_options()) {
    if (name != option.name) continue;
    numbers_.emplace_back(name, value);
    return option.set(options_, value);
  }
  throw Error(ErrorCode::option_invalid, "there is no option " + quoted(name));
}

void Options::set_ordering(const std::string& ordering) { options_.ordering = parse_ordering(ordering); }

void Options::set_clock(const ManualClock& clock) { options_.clock = clock.clock_; }

void Options::set_kind(const std::string& kind) { kind_ = kind; }

void Options::set_entropy(const std::string& bytes) { entropy_ = bytes; }

const Kind& Options::kind() const { return known_kind(kind_); }

std::unique_ptr<polyflake::IdSource> Options::opened() const {
  KindOptions named = by_name();
  return kind().open(named);
}

std::unique_ptr<polyflake::Spelling> Options::spelling() const {
  const Kind& known = kind();
  if (known.spelling == nullptr) return nullptr;
  KindOptions named = by_name();
  return known.spelling(named);
}

KindOptions Options::by_name() const {
  KindOptions named;
  for (const auto& [name, value] : numbers_) named.set(name, value);
  if (!std::holds_alternative<std::monostate>(options_.worker.value())) named.set("worker", options_.worker);
  if (has_layout_) named.set("layout", options_.layout);
  if (options_.clock != nullptr) named.set("clock", options_.clock);
  if (entropy_) named.set("entropy", *entropy_);
  return named;
}

}  // namespace polyflake::facade
