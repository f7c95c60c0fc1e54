#include "report.hpp"

#include <memory>
#include <utility>

namespace polyflake::bench {
namespace {

#if defined(__clang__)
constexpr const char* kCompiler = "Clang " __clang_version__;
#elif defined(__GNUC__)
constexpr const char* kCompiler = "GCC " __VERSION__;
#else
constexpr const char* kCompiler = "C++17";
#endif

nlohmann::ordered_json json_of(const char* kind, const Row& row) {
  nlohmann::ordered_json json;
  json["kind"] = kind;
  json["key"] = row.key == nullptr ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(row.key);
  json["group"] = row.group;
  json["library"] = row.library;
  json["name"] = row.name;
  json["price"] = row.price;
  return json;
}

}  // namespace

void Report::add_ratio(benchmark::State& state, const Row& row, const std::string& counter, const std::string& floor,
                       const Paired& paired) {
  auto json = json_of("ratio", row);
  json["floor"] = floor;
  json["ns"] = paired.candidate_ns;
  json["floor_ns"] = paired.floor_ns;
  json["ratio"] = paired.ratio;
  json["quartiles"] = {paired.lower, paired.upper};
  json["rounds"] = paired.rounds;
  json["tool_ns"] = nullptr;
  state.counters[counter + "floor_ns"] = paired.floor_ns;
  state.counters[counter + "ratio"] = paired.ratio;
  state.counters[counter + "ratio_lower"] = paired.lower;
  state.counters[counter + "ratio_upper"] = paired.upper;
  add(std::move(json));
}

void Report::add_saturated(benchmark::State& state, const Row& row, const Saturation& found) {
  auto json = json_of("saturated", row);
  json["threads"] = found.threads;
  json["seconds"] = found.seconds;
  json["ids"] = found.ids;
  json["duplicates"] = found.duplicates;
  json["share"] = found.share;
  json["ahead_ms"] = found.ahead_ms;
  json["cpu_seconds_per_million"] = found.cpu_seconds_per_million;
  state.counters["ids"] = static_cast<double>(found.ids);
  state.counters["duplicates"] = static_cast<double>(found.duplicates);
  state.counters["share"] = found.share;
  state.counters["cpu_s_per_million"] = found.cpu_seconds_per_million;
  if (row.library == kOurs) duplicates_ += found.duplicates;
  add(std::move(json));
}

void Report::add_figure(benchmark::State& state, const Row& row, const char* counter, double value, const char* unit) {
  auto json = json_of("figure", row);
  json["value"] = value;
  json["quartiles"] = nullptr;
  json["unit"] = unit;
  state.counters[counter] = value;
  add(std::move(json));
}

void Report::add_duplicates(benchmark::State& state, const Row& row, std::size_t duplicates, std::size_t ids) {
  if (row.library == kOurs) duplicates_ += duplicates;
  add_figure(state, row, "duplicates", static_cast<double>(duplicates), "ids");
  rows_.back()["ids"] = ids;
  state.counters["ids"] = static_cast<double>(ids);
}

nlohmann::ordered_json Report::json() const {
  return {{"language", "cpp"}, {"runtime", kCompiler}, {"version", POLYFLAKE_VERSION}, {"rows", rows_}};
}

void Report::ReportRuns(const std::vector<Run>& runs) {
  for (const Run& run : runs) {
    const auto found = alone_.find(run.run_name.function_name);
    if (found != alone_.end()) rows_[found->second]["tool_ns"] = run.GetAdjustedRealTime();
  }
  ConsoleReporter::ReportRuns(runs);
}

void register_once(const char* name, std::function<double(benchmark::State&)> run) {
  benchmark::RegisterBenchmark(name, [run](benchmark::State& state) {
    for (auto _ : state) state.SetIterationTime(run(state));
  })->UseManualTime()->Iterations(1)->Unit(benchmark::kSecond);
}

void register_pairs(Report& report, const char* name, const std::string& floor, std::function<Chunk()> prepare_floor,
                    std::vector<Candidate> candidates, Pairing::Of of) {
  benchmark::RegisterBenchmark(name, [=, &report](benchmark::State& state) {
    std::vector<Pairing> pairings;
    for (const Candidate& candidate : candidates) pairings.emplace_back(prepare_floor(), candidate.prepare(), of);
    for (auto _ : state) {
      double ns = 0;
      for (Pairing& pairing : pairings) ns += pairing.round();
      state.SetIterationTime(ns / 1e9);
    }
    const bool alone = candidates.size() == 1;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const Row& row = candidates[i].row;
      const std::string counter = alone ? "" : row.library.substr(0, row.library.find(' ')) + ":";
      report.add_ratio(state, row, counter, floor, pairings[i].result());
    }
    if (alone) report.expect_tool(std::string(name) + "/alone");
  })->UseManualTime()->Iterations(report.settings().rounds());
}

}  // namespace polyflake::bench
