// As many processes as ask the host registry for a node id at once: the lock of its folder comes to each of them in time.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "fresh_home.hpp"
#include "program.hpp"
#include "system.hpp"
#include "together.hpp"

namespace polyflake::test {
namespace {

constexpr const char* kFiveBits = "timestamp:41 worker:5 sequence:12 tick=1ms epoch=2020-01-01T00:00:00.000Z";

// More than five bits can tell apart.
const int kCrowd = std::max(static_cast<int>(scaled(kManyProcesses)), 60);

// Starts them together, then collects what each of them says first.
std::vector<std::string> first_lines(std::vector<Program>& programs, int count, const std::string& layout) {
  for (int i = 0; i < count; ++i) programs.push_back(start_issuer(layout, "host"));
  std::vector<std::string> lines;
  for (Program& program : programs) lines.push_back(program.line());
  return lines;
}

TEST(Crowds, many_at_once_get_as_many_node_ids) {
  const FreshHome home;
  std::vector<Program> programs;
  std::set<std::string> workers;
  for (const std::string& line : first_lines(programs, kCrowd, "polyflake")) {
    EXPECT_EQ(line.substr(0, 7), "worker ");
    workers.insert(line);
  }
  EXPECT_EQ(workers.size(), static_cast<std::size_t>(kCrowd));
  EXPECT_EQ(workers.count("worker " + std::to_string(kCrowd - 1)), 1U) << "the lowest ones are taken";
}

TEST(Crowds, thirty_two_of_many_share_five_bits_and_the_others_are_told) {
  const FreshHome home;
  for (int round = 0; round < 2; ++round) {  // into an empty folder, then among the files of killed holders
    std::vector<Program> programs;
    std::set<std::string> workers;
    int refused = 0;
    for (const std::string& line : first_lines(programs, kCrowd, kFiveBits)) {
      if (line.substr(0, 7) == "worker ") {
        EXPECT_TRUE(workers.insert(line).second) << line;
      } else {
        EXPECT_EQ(line.substr(0, 22), "error no_worker_free: ") << line;
        ++refused;
      }
    }
    EXPECT_EQ(workers.size(), 32U) << "round " << round;
    EXPECT_EQ(refused, kCrowd - 32) << "round " << round;
  }
}

}  // namespace
}  // namespace polyflake::test
