#include "facade/options.hpp"

#include <polyflake/error.hpp>

#include <iterator>
#include <utility>

#include "facade/lease_state.hpp"

namespace polyflake::facade {
namespace {

template <auto member>
void set(polyflake::Options& options, std::int64_t value) {
  options.*member = value;
}

constexpr NumberOption kNumberOptions[] = {
    {"max_wait_ms", "maxWaitMs", "maxWait", set<&polyflake::Options::max_wait_ms>},
    {"max_lead_ms", "maxLeadMs", "maxLead", set<&polyflake::Options::max_lead_ms>},
    {"sequence_spread", "sequenceSpread", "sequenceSpread", set<&polyflake::Options::sequence_spread>},
};

}  // namespace

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

const NumberOption* NumberOptions::begin() const { return std::begin(kNumberOptions); }
const NumberOption* NumberOptions::end() const { return std::end(kNumberOptions); }

void Options::set_number(const std::string& name, std::int64_t value) {
  for (const NumberOption& option : kNumberOptions) {
    if (name == option.snake) return option.set(options_, value);
  }
  throw Error(ErrorCode::option_invalid, "there is no option " + quoted(name));
}

void Options::set_ordering(const std::string& ordering) { options_.ordering = parse_ordering(ordering); }

void Options::set_clock(const ManualClock& clock) { options_.clock = clock.clock_; }

void Options::set_kind(const std::string& kind) { kind_ = kind; }

void Options::set_entropy(const std::string& bytes) { entropy_ = bytes; }

}  // namespace polyflake::facade
