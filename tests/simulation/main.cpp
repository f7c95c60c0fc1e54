// Runs schedules of hosts, processes and stores in made-up time, and looks at every id:
//
//   simulation [--schedules N] [--seed S] [--seconds T] [--leave-out RULE ...] [--store K] [--redis 1] [--tell 1]
//
// With a rule left out it ends well when it found what the rule prevents. Without --schedules, --seconds say how long.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>

#include "lease/rules.hpp"
#include "simulation/redis_schedule.hpp"
#include "simulation/schedule.hpp"

namespace {

using polyflake::simulation::Faults;
using polyflake::simulation::Kind;
using polyflake::simulation::Outcome;

constexpr Kind kKinds[] = {{"with a clock and an incarnation", true, true},
                           {"with an incarnation", false, true},
                           {"with a clock", true, false},
                           {"with neither", false, false},
                           {"that counts its writes", false, false, true}};
// The last one has faults of its own, and --store 4 asks for it.
constexpr std::size_t kInTurn = std::size(kKinds) - 1;

constexpr Faults kFaults[] = {{false, true}, {true, false}, {false, true}, {false, false}, {false, true}};

std::uint64_t number(const char* text) { return std::strtoull(text, nullptr, 10); }

}  // namespace

int main(int argc, char** argv) {
  std::uint64_t schedules = 0, seed = 1, told = 0, of_redis = 0, only_store = UINT64_MAX;
  std::uint64_t left_out = 0;
  double seconds = 1e9;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--schedules") == 0) schedules = number(argv[i + 1]);
    if (std::strcmp(argv[i], "--seed") == 0) seed = number(argv[i + 1]);
    if (std::strcmp(argv[i], "--seconds") == 0) seconds = static_cast<double>(number(argv[i + 1]));
    if (std::strcmp(argv[i], "--tell") == 0) told = number(argv[i + 1]);
    if (std::strcmp(argv[i], "--leave-out") == 0) left_out |= std::uint64_t{1} << number(argv[i + 1]);
    if (std::strcmp(argv[i], "--redis") == 0) of_redis = number(argv[i + 1]);
    if (std::strcmp(argv[i], "--store") == 0) only_store = number(argv[i + 1]);
  }
  if (schedules == 0) schedules = seconds < 1e9 ? UINT64_MAX : 10'000;
  polyflake::rules_left_out<polyflake::lease::Rule> = left_out;
  // Of a processor, so that it is the same beside other programs.
  const auto passed = [] { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; };
  std::uint64_t ids = 0, done = 0;
  for (; done < schedules && passed() < seconds; ++done) {
    const Kind kind = kKinds[only_store < std::size(kKinds) ? only_store : (seed + done) % kInTurn];
    const Faults faults = kFaults[(seed + done) / kInTurn % std::size(kFaults)];
    const Outcome outcome = of_redis != 0 ? polyflake::simulation::run_redis_schedule(seed + done, told != 0)
                                          : polyflake::simulation::run_schedule(seed + done, kind, faults, told != 0);
    ids += outcome.ids;
    if (outcome.failure.empty()) continue;
    std::printf("seed %llu, a store %s%s%s: %s\n", static_cast<unsigned long long>(seed + done),
                of_redis != 0 ? "of several Redis" : kind.name,
                of_redis == 0 && faults.losing_store ? ", losing writes" : "",
                of_redis == 0 && faults.wild_clocks ? ", wild clocks" : "", outcome.failure.c_str());
    std::printf("found after %llu schedules, %.1f s\n", static_cast<unsigned long long>(done + 1), passed());
    return left_out != 0 ? 0 : 1;
  }
  std::printf("%llu schedules, %llu ids, %.1f s (%.0f schedules a second): nothing found\n",
              static_cast<unsigned long long>(done), static_cast<unsigned long long>(ids), passed(),
              static_cast<double>(done) / passed());
  return left_out != 0 ? 1 : 0;
}
