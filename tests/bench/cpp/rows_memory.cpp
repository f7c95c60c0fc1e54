// What open generators keep in memory: ten thousand of one node id, and the first one of a new node id.
//
// Registered first: later there is freed memory about, which the process would not have to ask for.
#include "rows.hpp"

#include <cstddef>
#include <fstream>
#include <vector>

#include <unistd.h>

namespace polyflake::bench {
namespace {

double resident_bytes() {
  std::ifstream file("/proc/self/statm");
  double size_pages = 0, resident_pages = 0;
  file >> size_pages >> resident_pages;
  return resident_pages * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

// One generator more, where `node` is the node id of each.
template <class Node>
double bytes_of_one(std::size_t count, const Node& node) {
  std::vector<std::unique_ptr<Generator>> generators(count);
  const Layout layout = "polyflake";
  const auto make = [&](std::size_t i) {
    Options options = options_of(layout, node(i));
    generators[i] = std::make_unique<Generator>(std::move(options));
  };
  make(0);
  const double before = resident_bytes();
  for (std::size_t i = 1; i < count; ++i) make(i);
  return (resident_bytes() - before) / static_cast<double>(count - 1);
}

double run(Report& report, benchmark::State& state) {
  const double of_one_node = bytes_of_one(10'000, [](std::size_t) { return 0; });
  const double of_new_nodes = bytes_of_one(1000, [](std::size_t i) { return static_cast<std::int64_t>(i) + 1; });
  report.add_figure(state, {"cpp.memory_per_generator_bytes", "size and start", kOurs, "memory of a generator", ""},
                    "bytes", of_one_node, "bytes");
  report.add_figure(state, {nullptr, "size and start", kOurs, "memory of the first generator of a node id", ""},
                    "bytes_new_node", of_new_nodes, "bytes");
  return 1;
}

}  // namespace

void register_memory(Report& report) {
  register_once("memory", [&report](benchmark::State& state) { return run(report, state); });
}

}  // namespace polyflake::bench
