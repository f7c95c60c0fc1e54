// polyflake_load: puts a load on an id server, or on Redis, and checks every id. See options.cpp.
#include <nlohmann/json.hpp>

#include <cstdio>
#include <exception>
#include <optional>

#include "client.hpp"
#include "loops.hpp"
#include "options.hpp"
#include "process.hpp"

namespace polyflake::load {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kMiB = 1 << 20;

double in_mib(std::int64_t bytes) { return static_cast<double>(bytes) / kMiB; }

// The CPU time and memory that a run costs the server, if its process was given.
class Cost {
 public:
  explicit Cost(int pid) : pid_(pid) {
    if (pid_ == 0) return;
    memory_before_ = resident_bytes(pid_);
    watch_.emplace(pid_);
    begin();
  }

  // CPU time counts from here.
  void begin() {
    if (pid_ != 0) before_ = times_of(pid_);
  }

  void end() {
    if (pid_ == 0) return;
    const ProcessTimes after = times_of(pid_);
    cpu_us_ = static_cast<double>(after.cpu_ns - before_.cpu_ns) / 1000;
    waited_seconds_ = static_cast<double>(after.waited_ns - before_.waited_ns) / 1e9;
    memory_after_ = resident_bytes(pid_);
  }

  void write(Json& json, const Result& result) const {
    if (pid_ == 0) return;
    json["cpu_seconds"] = cpu_us_ / 1e6;
    json["waited_seconds"] = waited_seconds_;
    if (result.requests > 0) json["cpu_us_per_request"] = cpu_us_ / static_cast<double>(result.requests);
    if (result.ledger.size() > 0) json["cpu_us_per_id"] = cpu_us_ / static_cast<double>(result.ledger.size());
    json["memory_mib"] = {{"before", in_mib(memory_before_)},
                          {"most", std::max(in_mib(watch_->most()), in_mib(memory_after_))},
                          {"after", in_mib(memory_after_)}};
  }

 private:
  const int pid_;
  std::optional<MemoryWatch> watch_;
  ProcessTimes before_;
  std::int64_t memory_before_ = 0, memory_after_ = 0;
  double cpu_us_ = 0, waited_seconds_ = 0;
};

void write_latencies(Json& json, const std::string& prefix, Latencies& latencies) {
  if (latencies.size() == 0) return;
  json[prefix + "p50_ms"] = latencies.at(0.5);
  json[prefix + "p99_ms"] = latencies.at(0.99);
  json[prefix + "p99_9_ms"] = latencies.at(0.999);
  json[prefix + "most_ms"] = latencies.at(1);
}

void run_client(const Options& options, Result& result, Cost& cost) {
  Client client(options, result);
  cost.begin();  // once it has accepted
  switch (options.mode) {
    case Options::Mode::open_loop: run_open_loop(options, client, result); break;
    case Options::Mode::idle: run_idle(options, client, result); break;
    default: run_closed_loop(options, client, result); break;
  }
  cost.end();  // while connections are open
}

// Returns the status.
int run(const Options& options) {
  raise_descriptor_limit();
  Json json;
  Result result;
  Cost cost(options.pid);
  if (options.mode == Options::Mode::never_read) {
    json["closed"] = run_never_read(options);
    cost.end();
    cost.write(json, result);
    std::puts(json.dump().c_str());
    return 0;
  }
  run_client(options, result, cost);
  const std::size_t duplicates = result.ledger.count_duplicates();
  json["requests"] = result.requests;
  json["ids"] = result.ledger.size();
  json["seconds"] = result.seconds;
  json["errors"] = Json(result.errors);
  write_latencies(json, "", result.given);
  write_latencies(json, "refused_", result.refused);
  json["late_sends"] = result.late;
  json["duplicates"] = duplicates;
  json["not_rising"] = result.ledger.not_rising();
  if (result.ledger.size() > 0) {
    json["smallest"] = std::to_string(result.ledger.smallest());
    json["largest"] = std::to_string(result.ledger.largest());
  }
  cost.write(json, result);
  std::puts(json.dump().c_str());
  return duplicates == 0 && result.ledger.not_rising() == 0 ? 0 : 1;
}

}  // namespace
}  // namespace polyflake::load

int main(int count, char** arguments) {
  int status = 0;
  const auto options = polyflake::load::read_options(count, arguments, status);
  if (!options) return status;
  try {
    return polyflake::load::run(*options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "polyflake_load: %s\n", error.what());
    return 2;
  }
}
