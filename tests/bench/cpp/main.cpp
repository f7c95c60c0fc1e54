// The C++ benchmarks: polyflake_bench --json FILE [--quick] [--no-peers] [--only ROW]
#include <cstring>
#include <fstream>
#include <future>
#include <stdexcept>

#include "bare.hpp"
#include "report.hpp"

namespace polyflake::bench {
namespace {

#if defined(__clang__)
constexpr const char* kCompiler = "Clang " __clang_version__;
#elif defined(__GNUC__)
constexpr const char* kCompiler = "GCC " __VERSION__;
#else
constexpr const char* kCompiler = "C++17";
#endif

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

void run(int count, char** values) {
  Settings settings;
  std::string path;
  for (int i = 1; i < count; ++i) {
    const std::string option = values[i];
    const bool last = i + 1 == count;
    if (option == "--quick") {
      settings.quick = true;
    } else if (option == "--no-peers") {
      settings.peers = false;
    } else if (option == "--json" && !last) {
      path = values[++i];
    } else if (option == "--only" && !last) {
      settings.only = values[++i];
    } else {
      throw std::invalid_argument("usage: polyflake_bench --json FILE [--quick] [--no-peers] [--only ROW]");
    }
  }
  const Bystander bystander;
  Report report(settings);
  add_rows(report);
  add_codec_rows(report);
  add_kind_rows(report);
  add_segment_rows(report);
  const nlohmann::ordered_json json = {{"language", "cpp"},
                                       {"runtime", kCompiler},
                                       {"time", with_the_cheaper_time([](auto time) { return decltype(time)::kName; })},
                                       {"clock_ns", ns_of_reading<ClockTime>()},
                                       {"counter_ns", ns_of_reading<CounterTime>()},
                                       {"rows", report.rows()}};
  std::ofstream file(path);
  file << json.dump() << '\n';
  if (!file.flush()) throw std::runtime_error("cannot write " + path);
}

}  // namespace
}  // namespace polyflake::bench

int main(int count, char** values) {
  try {
    polyflake::bench::run(count, values);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "polyflake_bench: %s\n", error.what());
    return 2;
  }
}
