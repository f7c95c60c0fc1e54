// One id at a time, on one thread.
#include "rows.hpp"

#include <atomic>

#include "textbook.hpp"

namespace polyflake::bench {
namespace {

auto next_id_of(const char* layout, Ordering ordering = Ordering::strict) {
  return [=] {
    return [generator = open(layout, 0, ordering)] { benchmark::DoNotOptimize(generator->next_id()); };
  };
}

// What an id needs at least: the millisecond, and a claim that no other thread can have.
auto clock_and_swap() {
  return [last = std::make_shared<std::atomic<std::uint64_t>>(0)] {
    const auto first = static_cast<std::uint64_t>(SystemClock::read_ms()) << 22;
    std::uint64_t former = last->load(std::memory_order_acquire);
    while (!last->compare_exchange_strong(former, former < first ? first : former + 1, std::memory_order_acq_rel)) {
    }
    benchmark::DoNotOptimize(former);
  };
}

auto clock_and_add() {
  return [last = std::make_shared<std::atomic<std::uint64_t>>(0)] {
    std::timespec now;
    ::clock_gettime(CLOCK_REALTIME, &now);
    benchmark::DoNotOptimize(now);
    benchmark::DoNotOptimize(last->fetch_add(1, std::memory_order_acq_rel));
  };
}

auto textbook(unsigned sequence_bits, unsigned node_bits) {
  return [=] {
    return [generator = std::make_shared<Textbook>(sequence_bits, node_bits)] {
      benchmark::DoNotOptimize(generator->next_id());
    };
  };
}

// Ours and the baseline with the layouts people use, whose ticks have 4096 ids.
void register_peers(Report& report) {
  constexpr std::size_t kCount = 2000;
  register_pairs(report, "peers", kClockName, [] { return in_a_fresh_ms(clock_reading(), kCount); },
                 {{{nullptr, "peers", kOurs, "Generator::next_id()", ""},
                   [] { return in_a_fresh_ms(next_id_of("polyflake")(), kCount); }},
                  {{nullptr, "peers", Textbook::kName, "next_id()", Textbook::kPrice},
                   [] { return in_a_fresh_ms(textbook(12, 10)(), kCount); }}});
}

}  // namespace

void register_single(Report& report) {
  constexpr const char* kGroup = "single call";
  register_single(report, "next_id", kClockName, clock_reading,
                  {"cpp.next_id", kGroup, kOurs, "Generator::next_id(), 22-bit sequence", ""}, next_id_of(kWide));
  register_single(report, "per_thread", kClockName, clock_reading,
                  {"cpp.per_thread", kGroup, kOurs, "Generator::next_id(), ordering per_thread, 22-bit sequence",
                   "ordered within a thread; between threads to the tick"},
                  next_id_of(kWide, Ordering::per_thread));
  register_single(report, "clock+swap", kClockName, clock_reading,
                  {nullptr, kGroup, "reference", "clock_gettime to ms, compare-and-swap", "no ids: only the work they need"},
                  clock_and_swap);
  register_single(report, "clock+add", kClockName, clock_reading,
                  {nullptr, kGroup, "reference", "clock_gettime, fetch_add", "no ids: only the work they need"},
                  clock_and_add);
  if (!report.settings().peers) return;
  register_single(report, "textbook", kClockName, clock_reading,
                  {nullptr, kGroup, Textbook::kName, "next_id(), 22-bit sequence", Textbook::kPrice}, textbook(22, 0));
  register_peers(report);
}

void register_plain(Report& report) {
  register_single(report, "next_id.plain", kClockName, clock_reading,
                  {"cpp.next_id.plain", "single call", kOurs, "Generator::next_id(), 22-bit sequence, plain clock", ""},
                  next_id_of(kWide));
}

}  // namespace polyflake::bench
