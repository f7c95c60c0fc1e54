// All ids that a generator has, by one and by two threads; every id is compared with every other.
#include "rows.hpp"

#include <cstddef>

#include "textbook.hpp"
#include "together.hpp"

namespace polyflake::bench {
namespace {

void register_ours(Report& report, const char* name, const char* key, std::size_t threads) {
  register_once(name, [=, &report](benchmark::State& state) {
    const auto generator = open("polyflake");
    Stage stage(threads, static_cast<std::int64_t>(report.settings().seconds(2) * 1000), generator->layout());
    const Saturation found = stage.run([&](std::size_t) { return generator->next_id(); });
    report.add_saturated(state, {key, "saturated", kOurs, "default layout", ""}, found);
    return found.seconds;
  });
}

void register_textbook(Report& report, const char* name, std::size_t threads) {
  register_once(name, [=, &report](benchmark::State& state) {
    Textbook textbook;
    Stage stage(threads, static_cast<std::int64_t>(report.settings().seconds(1) * 1000), "polyflake");
    const Saturation found = stage.run([&](std::size_t) { return textbook.next_id(); });
    report.add_saturated(state, {nullptr, "saturated", Textbook::kName, "the same bits", Textbook::kPrice}, found);
    return found.seconds;
  });
}

// Not saturated: two threads meet in the swap all the time.
void register_contended(Report& report, const char* name, Ordering ordering, const char* row) {
  register_once(name, [=, &report](benchmark::State& state) {
    const auto generator = open(kWide, 0, ordering);
    const std::size_t each = report.settings().quick ? 1'000'000 : 10'000'000;
    std::vector<Ids> ids(2, Ids(each));
    const double seconds = together(2, [&](std::size_t thread) {
      for (std::uint64_t& id : ids[thread]) id = generator->next_id();
    });
    report.add_duplicates(state, {nullptr, "uniqueness", kOurs, row, ""}, duplicates_among(ids), 2 * each);
    return seconds;
  });
}

}  // namespace

void register_saturated(Report& report) {
  register_ours(report, "saturated.1", "cpp.saturated.1", 1);
  register_ours(report, "saturated.2", "cpp.saturated.2", 2);
  register_contended(report, "contended", Ordering::strict, "duplicates of two threads that contend, 22-bit sequence");
  register_contended(report, "contended.per_thread", Ordering::per_thread,
                     "duplicates of two threads that contend, 22-bit sequence, ordering per_thread");
  if (!report.settings().peers) return;
  register_textbook(report, "saturated.textbook.1", 1);
  register_textbook(report, "saturated.textbook.2", 2);
}

}  // namespace polyflake::bench
