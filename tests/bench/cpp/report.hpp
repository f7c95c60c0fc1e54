// What a run finds: the table on the terminal, which Google Benchmark prints, and the rows of our JSON.
//
// Both come from the same benchmarks. Google Benchmark drives the pairing: one iteration is one round of
// floor, candidate, floor (paired.hpp), its manual time is that of one candidate operation (a mean over the
// rounds; our rows have medians), and the ratio stands among its counters. Beside each pair stands the same
// operation in Google Benchmark's own loop, NAME/alone: an independent figure, "tool_ns" in our rows.
#pragma once

#include <benchmark/benchmark.h>
#include <nlohmann/json.hpp>

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <unistd.h>

#include <polyflake/version.hpp>

#include "paired.hpp"
#include "saturation.hpp"

namespace polyflake::bench {

struct Settings {
  bool quick = false;  // a smoke test: few rounds, short runs
  bool peers = true;
  int rounds() const { return quick ? 11 : 121; }
  double seconds(double full) const { return quick ? full / 10 : full; }
};

inline const std::string kOurs = "polyflake " POLYFLAKE_VERSION;

struct Row {
  const char* key;    // of a goal, or null
  const char* group;
  std::string library;
  std::string name;
  std::string price;  // what the library does not do
};

class Report : public benchmark::ConsoleReporter {
 public:
  explicit Report(Settings settings)
      : ConsoleReporter(::isatty(STDOUT_FILENO) ? OO_Color : OO_None), settings_(settings) {}
  const Settings& settings() const { return settings_; }

  // Rows, as benchmarks find them. The same figures become counters of `state`.
  void add_ratio(benchmark::State& state, const Row& row, const std::string& counter, const std::string& floor,
                 const Paired& paired);
  void add_saturated(benchmark::State& state, const Row& row, const Saturation& found);
  void add_figure(benchmark::State& state, const Row& row, const char* counter, double value, const char* unit);
  void add_duplicates(benchmark::State& state, const Row& row, std::size_t duplicates, std::size_t ids);
  void add(nlohmann::ordered_json row) { rows_.push_back(std::move(row)); }

  // The row added last gets the figure of this benchmark as its tool_ns.
  void expect_tool(const std::string& benchmark) { alone_[benchmark] = rows_.size() - 1; }

  // Duplicates among ids of ours; there must be none.
  std::size_t duplicates() const { return duplicates_; }
  nlohmann::ordered_json json() const;

  void ReportRuns(const std::vector<Run>& runs) override;

 private:
  const Settings settings_;
  std::vector<nlohmann::ordered_json> rows_;
  std::map<std::string, std::size_t> alone_;  // which row gets the figure of this benchmark
  std::size_t duplicates_ = 0;
};

// A benchmark that runs once and adds its own rows; returns the seconds that it measured.
void register_once(const char* name, std::function<double(benchmark::State&)> run);

struct Candidate {
  Row row;
  std::function<Chunk()> prepare;  // called when its turn has come: generators are opened here
};

// A benchmark of these candidates, one after the other in each round, over one floor.
void register_pairs(Report& report, const char* name, const std::string& floor, std::function<Chunk()> prepare_floor,
                    std::vector<Candidate> candidates, Pairing::Of of = Pairing::Of::costs);

// NAME/alone: the operation in Google Benchmark's own loop.
template <class Prepare>
void register_alone(Report& report, const char* name, Prepare prepare) {
  benchmark::RegisterBenchmark((std::string(name) + "/alone").c_str(), [prepare](benchmark::State& state) {
    const auto operation = prepare();
    for (auto _ : state) operation();
  })->MinTime(report.settings().seconds(0.2));
}

// Both for a single operation on one thread. The arguments prepare an operation each.
template <class PrepareFloor, class Prepare>
void register_single(Report& report, const char* name, const std::string& floor, PrepareFloor prepare_floor,
                     const Row& row, Prepare prepare) {
  register_pairs(report, name, floor, [=] { return repeated(prepare_floor()); },
                 {{row, [=] { return repeated(prepare()); }}});
  register_alone(report, name, prepare);
}

}  // namespace polyflake::bench
