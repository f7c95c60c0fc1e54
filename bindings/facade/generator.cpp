#include "facade/generator.hpp"

#include <polyflake/error.hpp>
#include <polyflake/object_ids.hpp>
#include <polyflake/uuid7.hpp>

#include <variant>

#include "facade/statistics.hpp"

namespace polyflake::facade {
namespace {

template <class KindOptions>
KindOptions stamped(const polyflake::Options& options, const std::optional<std::string>& entropy) {
  KindOptions kind;
  kind.max_wait_ms = options.max_wait_ms;
  kind.max_lead_ms = options.max_lead_ms;
  kind.clock = options.clock;
  kind.entropy = entropy;
  return kind;
}

}  // namespace

std::unique_ptr<polyflake::Spelling> Generator::spelling_of(const Options& options) {
  if (options.kind_ == "uuid7") {
    auto uuid7 = stamped<Uuid7Options>(options.options_, options.entropy_);
    if (!std::holds_alternative<std::monostate>(options.options_.worker.value()))
      uuid7.worker = options.options_.worker;
    if (options.has_layout_) uuid7.layout = options.options_.layout;
    return polyflake::detail::spelling_of(uuid7);
  }
  if (options.kind_ == "objectid") {
    return polyflake::detail::spelling_of(stamped<ObjectIdOptions>(options.options_, options.entropy_));
  }
  return nullptr;
}

Generator::Generator(const Options& options)
    : spelling_(spelling_of(options)),
      generator_(spelling_ == nullptr ? polyflake::Generator(options.options_) : spelling_->open()) {}

polyflake::Spelling& Generator::spelling() const {
  if (spelling_ == nullptr) throw Error(ErrorCode::option_invalid, "ids of a snowflake are numbers, and not spelled");
  return *spelling_;
}

void Generator::expect(std::size_t n) const { spelling().expect(n); }

bool Generator::spell(const std::uint64_t* claimed, std::size_t n, unsigned char* ids, std::uint64_t execution) {
  return spelling().spell(generator_, claimed, n, ids) && polyflake::Execution::current() == execution;
}

GeneratorState Generator::state() const {
  const polyflake::GeneratorState state = generator_.state();
  return {name_of(state.name), state.code ? info(*state.code).name : ""};
}

std::vector<Statistic> Generator::stats() const { return all_of(generator_.stats()); }

}  // namespace polyflake::facade
