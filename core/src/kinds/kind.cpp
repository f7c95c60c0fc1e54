#include "kinds/kind.hpp"

namespace polyflake {
namespace {

#define POLYFLAKE_ADDRESS(name) &kind::name,
constexpr const Kind* kAll[] = {POLYFLAKE_KINDS(POLYFLAKE_ADDRESS)};
#undef POLYFLAKE_ADDRESS

}  // namespace

const Kind* find_kind(std::string_view name) {
  for (const Kind* kind : kAll) {
    if (kind->name == name) return kind;
  }
  return nullptr;
}

void take_numbers(KindOptions& options, Options& typed, bool of_time) {
  for (const NumberOption& option : number_options()) {
    if (of_time && !option.of_time) continue;
    if (const auto number = options.take_number(option.name)) option.set(typed, *number);
  }
}

}  // namespace polyflake
