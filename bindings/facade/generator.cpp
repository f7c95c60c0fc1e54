#include "facade/generator.hpp"

#include <polyflake/error.hpp>

#include <type_traits>

namespace polyflake::facade {

Generator::Generator(const Options& options) : generator_(options.options_) {}

GeneratorState Generator::state() const {
  const polyflake::GeneratorState state = generator_.state();
  return {name_of(state.name), state.code ? info(*state.code).name : ""};
}

std::vector<Statistic> Generator::stats() const {
  std::vector<Statistic> all;
  generator_.stats().each([&](const char* name, auto value) {
    constexpr bool kIsReal = std::is_floating_point_v<decltype(value)>;
    all.push_back({name, kIsReal, kIsReal ? 0 : static_cast<std::int64_t>(value), static_cast<double>(value)});
  });
  return all;
}

}  // namespace polyflake::facade
