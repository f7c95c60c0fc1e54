// Runs schedules of hosts, processes and stores in made-up time, and looks at every id:
//
//   simulation [--schedules N] [--seed S] [--seconds T] [--leave-out RULE ...] [--store K] [--redis 1 | --counters 1]
//              [--tell 1]
//
// With a rule left out it ends well when it found what the rule prevents. Without --schedules, --seconds say how long.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>

#include "count/rules.hpp"
#include "lease/rules.hpp"
#include "simulation/counter_schedule.hpp"
#include "simulation/redis_schedule.hpp"
#include "simulation/schedule.hpp"

namespace {

using polyflake::rules_left_out;
using polyflake::simulation::CounterKind;
using polyflake::simulation::Faults;
using polyflake::simulation::Kind;
using polyflake::simulation::Outcome;

constexpr std::uint64_t kNone = UINT64_MAX;

constexpr Kind kKinds[] = {{"with a clock and an incarnation", true, true},
                           {"with an incarnation", false, true},
                           {"with a clock", true, false},
                           {"with neither", false, false},
                           {"that counts its writes", false, false, true}};
// The last one has faults of its own, and --store 4 asks for it.
constexpr std::size_t kInTurn = std::size(kKinds) - 1;

constexpr Faults kFaults[] = {{false, true}, {true, false}, {false, true}, {false, false}, {false, true}};

// The first two are what the rules are about, and come most often.
constexpr CounterKind kCounters[] = {
    {"segment, jump", "segment", "jump", true},
    {"date, jump", "date", "jump", true},
    {"segment in a store that cannot fail over", "segment", "jump", false, false},
    {"date in a store that cannot fail over", "date", "jump", false, false},
    {"segment, stop", "segment", "stop", true},
    {"date, stop", "date", "stop", true},
    {"segment, trust", "segment", "trust", false},
    {"date, trust", "date", "trust", false},
    {"segment in a store without a clock", "segment", "jump", true, true, false},
    {"segment, jump, where lost states come back", "segment", "jump", true, true, true, true}};
// The last one is outside of what is promised, and --store 9 asks for it.
constexpr std::size_t kCountersInTurn = std::size(kCounters) - 1;

std::uint64_t number(const char* text) { return std::strtoull(text, nullptr, 10); }

// A simulation, and a word for the store of each schedule.
struct Mode {
  std::uint64_t of_redis = 0, of_counters = 0, only_store = kNone, told = 0;

  Outcome run(std::uint64_t seed, std::string& store) const {
    if (of_redis != 0) {
      store = "a store of several Redis";
      return polyflake::simulation::run_redis_schedule(seed, told != 0);
    }
    if (of_counters != 0) {
      const std::uint64_t in_turn = seed % 4 != 0 ? seed % 2 : 2 + seed / 4 % (kCountersInTurn - 2);
      const CounterKind& kind = kCounters[only_store < std::size(kCounters) ? only_store : in_turn];
      store = std::string("a ") + kind.name;
      return polyflake::simulation::run_counter_schedule(seed, kind, told != 0);
    }
    const Kind kind = kKinds[only_store < std::size(kKinds) ? only_store : seed % kInTurn];
    const Faults faults = kFaults[seed / kInTurn % std::size(kFaults)];
    store = std::string("a store ") + kind.name + (faults.losing_store ? ", losing writes" : "") +
            (faults.wild_clocks ? ", wild clocks" : "");
    return polyflake::simulation::run_schedule(seed, kind, faults, told != 0);
  }
};

}  // namespace

int main(int argc, char** argv) {
  Mode mode;
  std::uint64_t schedules = 0, seed = 1;
  std::uint64_t left_out = 0;
  double seconds = 1e9;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--schedules") == 0) schedules = number(argv[i + 1]);
    if (std::strcmp(argv[i], "--seed") == 0) seed = number(argv[i + 1]);
    if (std::strcmp(argv[i], "--seconds") == 0) seconds = static_cast<double>(number(argv[i + 1]));
    if (std::strcmp(argv[i], "--tell") == 0) mode.told = number(argv[i + 1]);
    if (std::strcmp(argv[i], "--leave-out") == 0) left_out |= std::uint64_t{1} << number(argv[i + 1]);
    if (std::strcmp(argv[i], "--redis") == 0) mode.of_redis = number(argv[i + 1]);
    if (std::strcmp(argv[i], "--counters") == 0) mode.of_counters = number(argv[i + 1]);
    if (std::strcmp(argv[i], "--store") == 0) mode.only_store = number(argv[i + 1]);
  }
  if (schedules == 0) schedules = seconds < 1e9 ? UINT64_MAX : 10'000;
  if (mode.of_counters != 0) {
    rules_left_out<polyflake::count::Rule> = left_out;
  } else {
    rules_left_out<polyflake::lease::Rule> = left_out;
  }
  // Of a processor, so that it is the same beside other programs.
  const auto passed = [] { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; };
  std::uint64_t ids = 0, done = 0;
  std::string store;
  for (; done < schedules && passed() < seconds; ++done) {
    const Outcome outcome = mode.run(seed + done, store);
    ids += outcome.ids;
    if (outcome.failure.empty()) continue;
    std::printf("seed %llu, %s: %s\n", static_cast<unsigned long long>(seed + done), store.c_str(),
                outcome.failure.c_str());
    std::printf("found after %llu schedules, %.1f s\n", static_cast<unsigned long long>(done + 1), passed());
    return left_out != 0 ? 0 : 1;
  }
  std::printf("%llu schedules, %llu ids, %.1f s (%.0f schedules a second): nothing found\n",
              static_cast<unsigned long long>(done), static_cast<unsigned long long>(ids), passed(),
              static_cast<double>(done) / passed());
  return left_out != 0 ? 1 : 0;
}
