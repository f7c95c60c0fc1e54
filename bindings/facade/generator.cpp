#include "facade/generator.hpp"

#include <polyflake/error.hpp>

#include <type_traits>

namespace polyflake::facade {
namespace {

struct Row {
  const char* name;
  bool real;
  StatisticValue (*of)(const polyflake::Stats& stats);
};

template <auto member>
constexpr Row row(const char* name) {
  constexpr bool kReal = std::is_same_v<decltype(polyflake::Stats{}.*member), double&&>;
  return {name, kReal, [](const polyflake::Stats& stats) {
            StatisticValue value;
            if constexpr (kReal) {
              value.real = stats.*member;
            } else {
              value.whole = static_cast<std::int64_t>(stats.*member);
            }
            return value;
          }};
}

using polyflake::Stats;
constexpr Row kStatistics[] = {
    row<&Stats::issued>("issued"),
    row<&Stats::waits>("waits"),
    row<&Stats::waited_ms>("waited_ms"),
    row<&Stats::sequence_exhaustions>("sequence_exhaustions"),
    row<&Stats::clock_steps_back>("clock_steps_back"),
    row<&Stats::largest_step_back_ms>("largest_step_back_ms"),
    row<&Stats::lead_ms>("lead_ms"),
    row<&Stats::until_ms>("until_ms"),
    row<&Stats::years_left>("years_left"),
};

}  // namespace

std::vector<Statistic> statistics() {
  std::vector<Statistic> all;
  for (const Row& row : kStatistics) all.push_back({row.name, row.real});
  return all;
}

Generator::Generator(const Options& options) : generator_(options.options_) {}

GeneratorState Generator::state() const {
  const polyflake::GeneratorState state = generator_.state();
  return {name_of(state.name), state.code ? info(*state.code).name : ""};
}

std::vector<StatisticValue> Generator::stats() const {
  const Stats stats = generator_.stats();
  std::vector<StatisticValue> values;
  for (const Row& row : kStatistics) values.push_back(row.of(stats));
  return values;
}

}  // namespace polyflake::facade
