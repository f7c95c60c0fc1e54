#include <polyflake/date_ids.hpp>

#include <string>

#include "issue/number_bytes.hpp"
#include "open/held_numbers.hpp"

namespace polyflake {
namespace {

count::CounterUse use_of(const DateOptions& options) {
  count::CounterUse use;
  use.options.name = options.name;
  use.options.step = options.step;
  use.options.timeout_ms = options.timeout_ms;
  use.options.label = options.label;
  use.shape = {"date", options.period, options.digits, options.zone};
  count::periods_of(use.shape);  // refuses the names of zones
  return use;
}

}  // namespace

DateIds::DateIds(CounterStore& store, const DateOptions& options)
    : numbers_(options.period, options.digits, options.prefix), counter_(store, use_of(options)) {}

std::uint64_t DateIds::next_id() {
  counter_.drop_if_over();
  return counter_.next_id();
}

std::optional<std::uint64_t> DateIds::try_next_id() {
  counter_.drop_if_over();
  return counter_.try_next_id();
}

void DateIds::fill(std::uint64_t* ids, std::size_t n) {
  counter_.drop_if_over();
  counter_.fill(ids, n);
}

std::vector<std::uint64_t> DateIds::next_ids(std::size_t n) {
  std::vector<std::uint64_t> ids(n);
  fill(ids.data(), n);
  return ids;
}

std::string DateIds::next_id_string() { return numbers_.text(next_id()); }

void DateIds::fill_bytes(unsigned char* ids, std::size_t n) { fill_number_bytes(*this, ids, n); }

}  // namespace polyflake
