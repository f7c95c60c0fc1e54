// This target reads the texts of counters: options, date numbers, tables and replies of ticket
// servers. Accepted texts keep their properties, and refused ones have a code.
//
// Input: what is read, then its text. Options are lines of name=value; a reply has fields that end
// with \x1f.
#include <polyflake/date_numbers.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "count/counter_options.hpp"
#include "count/period.hpp"
#include "count/ticket_requests.hpp"
#include "property.hpp"

namespace polyflake::fuzz {
namespace {

// Returns the text up to the character, and takes both off the front.
std::string_view part_up_to(char end, std::string_view& text) {
  const std::size_t length = std::min(text.find(end), text.size());
  const std::string_view part = text.substr(0, length);
  text.remove_prefix(std::min(length + 1, text.size()));
  return part;
}

void hold_for_periods(const count::Shape& shape) {
  const count::PeriodOf period_of = count::periods_of(shape);
  std::uint64_t last = 0;
  for (const std::int64_t at_ms : {0LL, 951'782'400'000LL, 1'681'430'399'999LL, 1'681'430'400'000LL}) {
    const auto period = period_of(at_ms);
    if (!period) continue;
    hold(period->start_ms <= at_ms && at_ms < period->end_ms, "a time is in its period");
    hold(period->label >= last && count::is_label(shape.period, period->label), "labels rise");
    last = period->label;
  }
}

void run_options(std::string_view text) {
  CounterOptions options;
  std::uint64_t after = text.size();
  const auto codes = {ErrorCode::option_invalid};
  while (!text.empty()) {
    std::string_view line = part_up_to('\n', text);
    const std::string name(part_up_to('=', line));
    if (name == "after") after = line.size() < 16 ? line.size() : UINT64_MAX >> line.size() % 64;
    else if (!accepts([&] { count::set_option(options, name, std::string(line)); }, codes)) return;
  }
  count::Head head;
  if (!accepts([&] { head = count::head_of(options, after); }, codes)) return;
  hold(after <= head.top, "a counter begins within its numbers");
  const count::Shape shape = count::shape_of(head);
  hold(!count::shown(shape).empty(), "a shape is shown");
  if (shape.kind == "date") accepts([&] { hold_for_periods(shape); }, codes);
}

void run_date(std::string_view text) {
  const std::string period(part_up_to('\n', text)), prefix(part_up_to('\n', text));
  const std::uint64_t digits = period.size() > 8 ? 0 : 1 + prefix.size() % 11;
  std::unique_ptr<DateNumbers> numbers;
  if (!accepts([&] { numbers = std::make_unique<DateNumbers>(period, digits, prefix); }, {ErrorCode::option_invalid}))
    return;
  std::uint64_t number = 0;
  if (!reads(text, [&] { number = numbers->parse(text); }, {ErrorCode::text_invalid})) return;
  hold(numbers->text(number) == text, "a number is printed as it was read");
  hold(numbers->number(numbers->parts(number)) == number, "the parts are the number");
}

class Caller final : public count::TicketAsker {
 public:
  bool wants_number() override { return answers < 8; }
  bool answered(std::uint64_t /*number*/) override { return ++answers % 3 == 0; }
  void undone(const std::string& /*reason*/) override { ++answers; }
  void failed(const std::string& /*reason*/) override { ++answers; }
  int answers = 0;
};

// Each line is a reply, until the caller has what it wants.
void run_tickets(std::string_view text) {
  std::string table;
  if (!accepts([&] { table = count::ticket_table(part_up_to('\n', text)); }, {ErrorCode::option_invalid})) return;
  hold(table.find_first_of("'\"; \\") == std::string::npos && table.front() == '`' && table.back() == '`',
       "a table is a name");
  const auto caller = std::make_shared<Caller>();
  const auto requests = count::ticket_requests(caller, {2, 3, table}, std::nullopt);
  bool asks = false;
  while (!text.empty() && caller->wants_number()) {
    if (!asks) requests->begin();
    lease::Row row;
    for (std::string_view line = part_up_to('\n', text); !line.empty();) row.emplace_back(part_up_to('\x1f', line));
    const bool understood =
        accepts([&] { asks = requests->take({row}).command.has_value(); }, {ErrorCode::store_unavailable});
    if (understood) continue;
    requests->fail("a reply that is not understood");
    asks = false;
  }
}

}  // namespace
}  // namespace polyflake::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace polyflake;  // NOLINT
  if (size == 0) return 0;
  const std::string_view text = fuzz::text_of(data + 1, size - 1);
  if (data[0] % 3 == 0) fuzz::run_options(text);
  else if (data[0] % 3 == 1) fuzz::run_date(text);
  else fuzz::run_tickets(text);
  return 0;
}
