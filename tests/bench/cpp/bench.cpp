// The C++ benchmark: polyflake_bench [--json FILE]
//
// Each row is compared with what it cannot be faster than, measured in the same run.
#include <polyflake/polyflake.hpp>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "paired.hpp"

namespace polyflake::bench {
namespace {

template <class Value>
void keep(const Value& value) {
  asm volatile("" : : "r,m"(value) : "memory");
}

Options with_layout(const Layout& layout) {
  Options options;
  options.worker = 0;
  options.layout = layout;
  return options;
}

// Layouts whose ticks are never used up, so that calls do not wait.
constexpr const char* kWide = "timestamp:41 sequence:22 tick=1ms epoch=2020-01-01T00:00:00.000Z";
constexpr const char* kWider = "timestamp:39 sequence:24 tick=1ms epoch=2020-01-01T00:00:00.000Z";

Paired next_id_over_clock() {
  Generator generator(with_layout(kWide));
  return measure(
      [] {
        std::timespec now;
        ::clock_gettime(CLOCK_REALTIME, &now);
        keep(now);
      },
      [&] { keep(generator.next_id()); });
}

constexpr std::size_t kBatch = 4096;

Paired batch_over_loop() {
  Generator generator(with_layout(kWider));
  std::vector<std::uint64_t> memory(kBatch);
  std::uint64_t first = generator.next_id(), step = 1;
  return measure(
      [&] {
        keep(&first);
        keep(&step);
        const std::uint64_t base = first, by = step;
        for (std::size_t i = 0; i < kBatch; ++i) memory[i] = base + i * by;
        keep(memory.data());
      },
      [&] {
        generator.fill(memory.data(), kBatch);
        keep(memory.data());
      });
}

struct Saturated {
  std::size_t ids;
  double share_by_ids, share_by_clock;  // of 4096 ids for each tick that passed
  double cpu_seconds_per_million;
  std::size_t duplicates;
};

// One thread takes all that the default layout has for two seconds.
Saturated saturated() {
  constexpr std::int64_t kSpanMs = 2000;
  Generator generator(with_layout("polyflake"));
  std::vector<std::uint64_t> ids;
  ids.reserve(kBatch * (kSpanMs + 100));
  std::fill_n(std::back_inserter(ids), ids.capacity(), 0);  // touched before the clock starts
  ids.clear();
  const std::clock_t cpu = std::clock();
  const std::int64_t begin_ms = SystemClock::read_ms();
  std::int64_t end_ms;
  do {
    for (int i = 0; i < 64; ++i) ids.push_back(generator.next_id());
    end_ms = SystemClock::read_ms();
  } while (end_ms - begin_ms < kSpanMs);
  const double cpu_seconds = static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC;
  const Layout& layout = generator.layout();
  const double ticks = static_cast<double>(layout.unpack(ids.back()).tick - layout.unpack(ids.front()).tick + 1);
  const auto count = static_cast<double>(ids.size());
  std::sort(ids.begin(), ids.end());
  const auto duplicates = static_cast<std::size_t>(ids.end() - std::unique(ids.begin(), ids.end()));
  return {static_cast<std::size_t>(count), count / (kBatch * ticks), count / (kBatch * static_cast<double>(end_ms - begin_ms)),
          cpu_seconds / count * 1e6, duplicates};
}

std::string json_of(const char* row, const char* floor, const Paired& paired) {
  std::ostringstream text;
  text << "  {\"name\": \"" << row << "\", \"floor\": \"" << floor << "\", \"ns\": " << paired.candidate_ns
       << ", \"floor_ns\": " << paired.floor_ns << ", \"ratio\": " << paired.ratio << ", \"quartiles\": ["
       << paired.lower << ", " << paired.upper << "]"
       << ", \"rounds\": " << paired.rounds << "}";
  return text.str();
}

void print(const char* row, const Paired& paired) {
  std::printf("%-34s %9.1f %9.1f %7.2f   %5.2f - %5.2f\n", row, paired.floor_ns, paired.candidate_ns, paired.ratio,
              paired.lower, paired.upper);
}

int run(const char* json_path) {
  const Paired single = next_id_over_clock();
  const Paired batch = batch_over_loop();
  const Saturated full = saturated();
  std::printf("%-34s %9s %9s %7s   %s\n", "", "floor ns", "ns", "ratio", "quartiles");
  print("next_id / clock_gettime", single);
  print("fill of 4096 / the same loop", batch);
  std::printf("default layout, one thread, 2 s: %zu ids, %.1f %% of the ceiling by ids, %.1f %% by the clock,\n"
              "  %.3f CPU seconds per million ids, %s\n",
              full.ids, 100 * full.share_by_ids, 100 * full.share_by_clock, full.cpu_seconds_per_million,
              full.duplicates == 0 ? "all different" : "WITH DUPLICATES");
  if (json_path != nullptr) {
    std::ofstream file(json_path);
    file << "{\"language\": \"c++\", \"version\": \"" POLYFLAKE_VERSION "\", \"rows\": [\n"
         << json_of("next_id()", "clock_gettime", single) << ",\n"
         << json_of("fill(4096 ids)", "the same loop on the same memory", batch) << ",\n"
         << "  {\"name\": \"default layout, one thread, saturated\", \"ids\": " << full.ids
         << ", \"duplicates\": " << full.duplicates << ", \"share_of_ceiling_by_ids\": " << full.share_by_ids
         << ", \"share_of_ceiling_by_clock\": " << full.share_by_clock
         << ", \"cpu_seconds_per_million\": " << full.cpu_seconds_per_million
         << "}\n]}\n";
    if (!file.flush()) {
      std::fprintf(stderr, "cannot write %s\n", json_path);
      return 1;
    }
  }
  return full.duplicates == 0 ? 0 : 1;
}

}  // namespace
}  // namespace polyflake::bench

int main(int count, char** arguments) {
  const bool with_json = count == 3 && std::strcmp(arguments[1], "--json") == 0;
  if (count != 1 && !with_json) {
    std::fprintf(stderr, "usage: polyflake_bench [--json FILE]\n");
    return 2;
  }
  return polyflake::bench::run(with_json ? arguments[2] : nullptr);
}
