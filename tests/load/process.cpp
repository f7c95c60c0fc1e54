#include "process.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace polyflake::load {
namespace {

std::filesystem::path folder_of(int pid) { return "/proc/" + std::to_string(pid); }

std::runtime_error no_process(int pid) {
  return std::runtime_error("--pid: there is no process " + std::to_string(pid) + " whose figures can be read");
}

}  // namespace

// schedstat counts ns, where stat counts ticks of 10 ms. That of the process is its first thread's.
ProcessTimes times_of(int pid) {
  ProcessTimes sum;
  std::error_code failure;
  std::filesystem::directory_iterator threads(folder_of(pid) / "task", failure);
  if (failure) throw no_process(pid);
  for (const auto& thread : threads) {
    ProcessTimes one;
    if (!(std::ifstream(thread.path() / "schedstat") >> one.cpu_ns >> one.waited_ns)) continue;  // it has just ended
    sum.cpu_ns += one.cpu_ns;
    sum.waited_ns += one.waited_ns;
  }
  return sum;
}

std::int64_t resident_bytes(int pid) {
  std::int64_t all = 0, resident = 0;
  if (!(std::ifstream(folder_of(pid) / "statm") >> all >> resident)) throw no_process(pid);
  return resident * sysconf(_SC_PAGESIZE);
}

MemoryWatch::MemoryWatch(int pid) : most_(resident_bytes(pid)) {
  thread_ = std::thread([this, pid] {
    while (!done_.load()) {
      try {
        most_.store(std::max(most(), resident_bytes(pid)), std::memory_order_relaxed);
      } catch (const std::runtime_error&) {
        return;  // it ended, which the thread of the client sees as well
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  });
}

MemoryWatch::~MemoryWatch() {
  done_.store(true);
  thread_.join();
}

}  // namespace polyflake::load
