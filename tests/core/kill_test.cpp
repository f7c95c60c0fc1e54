// Processes that issue at full speed from the host registry are killed (SIGKILL, TerminateProcess) round after round while
// the clock is set back and forth: no id may ever appear twice.
//
// libfaketime moves the clock and lets it run ten times as fast, so that the registry's windows of 2 s
// take 0.2 s. Each process appends its ids to a mapped file that survives it.
//
// A program of Windows leaves the clock alone. But from here programs of Windows can be killed, too, with their clock
// moved: POLYFLAKE_ISSUER_BY names what runs the issuer, and the issuer ("wine.sh polyflake_issuer.exe").
#include <polyflake/polyflake.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <memory>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "fresh_home.hpp"
#include "id_file.hpp"
#include "os/os.hpp"
#include "program.hpp"
#include "system.hpp"

namespace polyflake::test {
namespace {

constexpr std::size_t kMostIds = 2'000'000;  // of a process; more than it can issue in its life
constexpr std::size_t kFewestIds = 100;
constexpr double kSecondsToHang = 60;

// What is killed, and how often: programs of Windows take long to start where they are not at home.
struct Plan {
  std::vector<std::string> issuer = {kIssuer};
  std::string drive;  // where they find this system's files
  int rounds = 200;
  int processes = 8;
  std::size_t fewest_ids = 5'000;  // of all together, before they are killed
  int speed = 10;                  // of their clock
  double set_back_seconds = 600;
  std::string layout = "timestamp:41 worker:12 sequence:5 tick=1ms epoch=2020-01-01T00:00:00.000Z";
};

Plan plan_of_this_run() {
  Plan plan;
  if (!kHeldFilesCanBeRemoved) plan.rounds = 40;  // Windows
  if (const auto issuer = platform::environment("POLYFLAKE_ISSUER_BY")) {
    std::istringstream words(*issuer);
    plan.issuer.assign(std::istream_iterator<std::string>(words), {});
    plan.drive = "Z:";
    plan.rounds = 10;
    plan.speed = 1;  // their waits would not be shorter
    // The times of files are this system's, with which their clock disagrees, so they would take new node ids each time. Of
    // these few most have a mark ahead of the clock.
    plan.layout = "timestamp:41 worker:4 sequence:5 tick=1ms epoch=2020-01-01T00:00:00.000Z";
    plan.set_back_seconds = 3;
    plan.fewest_ids = 2000;
  }
  return plan;
}

double real_seconds() { return static_cast<double>(SystemClock::read_ms()) / 1000; }

// The clock as the processes see it; it stands still between rounds. Without libfaketime it is the system's.
class FakeTime {
 public:
  explicit FakeTime(const Plan& plan) : speed_(plan.speed) {}
#if defined(POLYFLAKE_FAKETIME)
  std::vector<std::string> variables() const {
    const auto offset = std::llround(now_ - real_seconds());
    return {"LD_PRELOAD=" POLYFLAKE_FAKETIME, "FAKETIME_DONT_RESET=1", "FAKETIME_DISABLE_SHM=1", "NO_FAKE_STAT=1",
            "FAKETIME=" + std::string(offset < 0 ? "" : "+") + std::to_string(offset) + " x" + std::to_string(speed_)};
  }
#else
  std::vector<std::string> variables() const { return {}; }
#endif
  void run_since(double begin) { now_ += speed_ * (real_seconds() - begin) + 1; }
  void step(double seconds) { now_ += seconds; }

 private:
  const int speed_;
  double now_ = real_seconds();
};

Program start(const Plan& plan, const FreshHome& home, const std::string& file, const FakeTime& time) {
  std::vector<std::string> command = plan.issuer, variables = time.variables();
  for (const std::string& word : {plan.layout, std::string("host"), std::to_string(kMostIds), plan.drive + file}) {
    command.push_back(word);
  }
  variables.push_back("POLYFLAKE_HOME=" + plan.drive + home.path());
  return Program(command, variables);
}

// Returns the ids of each process of a round. All are killed when they have issued `life` ids together, and each some of them.
std::vector<std::unique_ptr<IdFile>> killed_round(const Plan& plan, const FreshHome& home, const FakeTime& time,
                                                  std::size_t life) {
  std::vector<Program> programs;
  std::vector<std::unique_ptr<IdFile>> files;
  for (int i = 0; i < plan.processes; ++i) {
    const std::string path = home.beside("ids" + std::to_string(i));
    std::filesystem::remove(path);
    files.push_back(std::make_unique<IdFile>(path, kMostIds));
    programs.push_back(start(plan, home, path, time));
  }
  for (Program& program : programs) {
    const std::string line = program.line();
    EXPECT_EQ(line.substr(0, 7), "worker ") << line;
  }
  if (testing::Test::HasFailure()) return files;
  const auto issued = [&] {
    std::size_t all = 0, fewest = kMostIds;
    for (const auto& file : files) {
      all += file->count();
      fewest = std::min(fewest, file->count());
    }
    return fewest < kFewestIds ? 0 : all;
  };
  const double begin = real_seconds();
  while (issued() < life && real_seconds() - begin < kSecondsToHang) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  for (const Program& program : programs) program.kill();
  for (Program& program : programs) {
    const std::string line = program.line();  // none, or what it failed of
    EXPECT_EQ(program.wait(), Program::kKilled) << line;
  }
  return files;
}

TEST(KilledProcesses, leave_no_id_to_be_issued_twice_whatever_the_clock_does) {
  const FreshHome home;
  const Plan plan = plan_of_this_run();
  const Layout layout(plan.layout);
  const auto killed = static_cast<std::size_t>(plan.rounds) * static_cast<std::size_t>(plan.processes);
  std::mt19937_64 random(9);
  std::vector<std::uint64_t> ids;
  std::set<std::uint64_t> nodes;
  std::size_t fewest = kMostIds;
  FakeTime time(plan);
  for (int round = 0; round < plan.rounds && !HasFailure(); ++round) {
    const double begin = real_seconds();
    const auto files = killed_round(plan, home, time, plan.fewest_ids + random() % (10 * plan.fewest_ids));
    for (const auto& file : files) {
      fewest = std::min(fewest, file->count());
      EXPECT_LT(file->count(), kMostIds) << "it was killed while it issued";
      for (std::size_t i = 0; i < file->count(); ++i) ids.push_back((*file)[i]);
      nodes.insert(layout.unpack((*file)[0]).node);
    }
    time.run_since(begin);
    // Half the time the clock is set back, so that the node ids of the dead lie in the future; else it goes on, each second
    // time past their windows, and they are taken again. Now and then it is far ahead for one round.
    if (round % 2 == 1) time.step(-plan.set_back_seconds);
    if (round % 4 == 0) time.step(plan.set_back_seconds / 60);
    if (round % 50 == 48) time.step(100 * plan.set_back_seconds);
    if (round % 50 == 49) time.step(-101 * plan.set_back_seconds);
  }
  std::printf("%d rounds of %d processes: %zu ids under %zu node ids, at least %zu of each process\n", plan.rounds,
              plan.processes, ids.size(), nodes.size(), fewest);
  EXPECT_GE(fewest, kFewestIds);
  EXPECT_GE(ids.size(), killed / static_cast<std::size_t>(plan.processes) * plan.fewest_ids);
  EXPECT_LT(nodes.size(), killed * 9 / 10) << "node ids of the dead were taken again";
  std::sort(ids.begin(), ids.end());
  std::size_t duplicates = 0;
  for (std::size_t i = 1; i < ids.size(); ++i) duplicates += ids[i] == ids[i - 1] ? 1 : 0;
  EXPECT_EQ(duplicates, 0U);
}

}  // namespace
}  // namespace polyflake::test
