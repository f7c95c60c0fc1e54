// The C++ benchmarks: polyflake_bench [--json FILE] [--quick] [--no-peers] [--benchmark_...]
//
// Each row is compared with what it cannot be faster than, measured in the same run: paired.hpp says how,
// report.hpp what is reported. The library reads POLYFLAKE_TICK_CACHE once, so the rows on the plain clock come
// from a child: this program with POLYFLAKE_TICK_CACHE=off, which then measures those rows only. The options of Google
// Benchmark are usable; --benchmark_filter goes to the child too, --benchmark_out has the parent's figures.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <future>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include "rows.hpp"

namespace polyflake::bench {
namespace {

constexpr const char* kUsage =
    "usage: polyflake_bench [--json FILE] [--quick] [--no-peers]\n"
    "  --json FILE  write the rows there\n"
    "  --quick      few rounds, short runs: whether all works, not how fast\n"
    "  --no-peers   without the baseline that is not ours\n"
    "  --help       this, and the options of Google Benchmark\n";

void print_help() {
  std::fputs(kUsage, stdout);
  benchmark::PrintDefaultHelp();
}

struct Arguments {
  std::string json;
  Settings settings;
  std::vector<char*> others;  // the program's name, and what is for Google Benchmark
};

Arguments read(int count, char** values) {
  Arguments arguments;
  for (int i = 0; i < count; ++i) {
    const std::string value = values[i];
    if (value == "--json") {
      if (++i == count) throw std::invalid_argument("--json needs a file");
      arguments.json = values[i];
    } else if (value == "--quick") {
      arguments.settings.quick = true;
    } else if (value == "--no-peers") {
      arguments.settings.peers = false;
    } else {
      arguments.others.push_back(values[i]);
    }
  }
  return arguments;
}

bool on_the_plain_clock() {
  const char* const setting = std::getenv("POLYFLAKE_TICK_CACHE");
  return setting != nullptr && std::strcmp(setting, "off") == 0;
}

void register_all(Report& report) {
  if (on_the_plain_clock()) return register_plain(report);
  register_memory(report);
  register_single(report);
  register_batch(report);
  register_threads(report);
  register_saturated(report);
  register_crowd(report);
  register_readings(report);
}

// A thread that does nothing. Programs that issue ids have more than one, and a mutex costs less without.
class Bystander {
 public:
  ~Bystander() {
    end_.set_value();
    thread_.join();
  }

 private:
  std::promise<void> end_;
  std::thread thread_{[end = end_.get_future()] { end.wait(); }};
};

// Runs this program on the plain clock and takes over its rows.
void add_plain_rows(Report& report, const std::vector<std::string>& filter) {
  char file[] = "/tmp/polyflake_bench.XXXXXX";
  const int descriptor = ::mkstemp(file);
  if (descriptor < 0) throw std::runtime_error("no temporary file for the rows on the plain clock");
  ::close(descriptor);
  std::vector<std::string> words = {"polyflake_bench", "--json", file};
  if (report.settings().quick) words.push_back("--quick");
  words.insert(words.end(), filter.begin(), filter.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  std::fflush(stdout);
  const pid_t child = ::fork();
  if (child == 0) {
    ::setenv("POLYFLAKE_TICK_CACHE", "off", 1);
    ::execv("/proc/self/exe", pointers.data());
    ::_exit(127);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  std::ifstream written(file);
  const auto json = nlohmann::ordered_json::parse(written, nullptr, false);
  ::unlink(file);
  if (status != 0 || json.is_discarded()) throw std::runtime_error("the rows on the plain clock failed");
  for (const auto& row : json["rows"]) report.add(row);
}

void write(const std::string& path, const nlohmann::ordered_json& json) {
  std::ofstream file(path);
  file << json.dump(1) << '\n';
  if (!file.flush()) throw std::runtime_error("cannot write " + path);
}

int run(int count, char** values) {
  Arguments arguments = read(count, values);
  std::vector<std::string> filter;
  bool only_listed = false;
  for (const std::string argument : arguments.others) {
    if (argument.rfind("--benchmark_filter", 0) == 0) filter.push_back(argument);
    only_listed = only_listed || argument.rfind("--benchmark_list_tests", 0) == 0;
  }
  int others = static_cast<int>(arguments.others.size());
  arguments.others.push_back(nullptr);
  benchmark::Initialize(&others, arguments.others.data(), print_help);
  if (benchmark::ReportUnrecognizedArguments(others, arguments.others.data())) return 2;
  Report report(arguments.settings);
  register_all(report);
  const Bystander bystander;
  benchmark::RunSpecifiedBenchmarks(&report);
  if (only_listed) return 0;
  if (!on_the_plain_clock()) add_plain_rows(report, filter);
  if (!arguments.json.empty()) write(arguments.json, report.json());
  if (report.duplicates() == 0) return 0;
  std::fprintf(stderr, "%zu DUPLICATES\n", report.duplicates());
  return 1;
}

}  // namespace
}  // namespace polyflake::bench

int main(int count, char** values) {
  try {
    return polyflake::bench::run(count, values);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "polyflake_bench: %s\n", error.what());
    return 2;
  }
}
