// Kinds that chance keeps apart: over copies of the process, and over processes that meet in a tick.
#include <polyflake/kinds.hpp>
#include <polyflake/object_ids.hpp>
#include <polyflake/uuid4.hpp>
#include <polyflake/uuid7.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <new>
#include <set>
#include <string>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>

#include "copies.hpp"
#include "expect_error.hpp"
#include "fresh_home.hpp"
#include "issue/node_provider.hpp"
#include "kinds/keyed_node.hpp"

namespace polyflake::test {
namespace {

std::string tail_of(const Uuid7& ids, const Uuid& id) { return std::to_string(ids.decode(id).tail); }

std::string process_of(const ObjectId& id) { return std::to_string(id.decode().process); }

class Copies : public testing::TestWithParam<Fork> {};

TEST_P(Copies, sixty_four_have_no_tail_and_no_process_bytes_in_common) {
  constexpr int kCopies = 64;
  Uuid7 uuids;
  ObjectIds object_ids;
  Uuid4 random;
  std::set<std::string> tails = {tail_of(uuids, uuids.next_id())};
  std::set<std::string> processes = {process_of(object_ids.next_id())};
  std::set<std::string> randoms = {random.next_id_string()};
  for (int i = 0; i < kCopies; ++i) {
    tails.insert(in_copy(GetParam(), [&] { return tail_of(uuids, uuids.next_id()); }));
    processes.insert(in_copy(GetParam(), [&] { return process_of(object_ids.next_id()); }));
    randoms.insert(in_copy(GetParam(), [&] { return random.next_id_string(); }));
  }
  EXPECT_EQ(tails.size(), kCopies + 1U);
  EXPECT_EQ(processes.size(), kCopies + 1U);
  EXPECT_EQ(randoms.size(), kCopies + 1U);
}

TEST_P(Copies, that_are_made_by_copies_do_not_share_either) {
  ObjectIds ids;
  const std::string own = process_of(ids.next_id());
  const std::string said = in_copy(GetParam(), [&] {
    const std::string child = process_of(ids.next_id());
    return child + " " + in_copy(GetParam(), [&] { return process_of(ids.next_id()); });
  });
  const std::string child = said.substr(0, said.find(' ')), grandchild = said.substr(said.find(' ') + 1);
  EXPECT_EQ(std::set<std::string>({own, child, grandchild}).size(), 3U) << said;
}

TEST_P(Copies, that_open_before_they_issue_are_as_good) {
  Uuid7 before;
  const Uuid own = before.next_id();
  const std::string said = in_copy(GetParam(), [&] {
    Uuid7 after;
    return tail_of(after, after.next_id());
  });
  EXPECT_NE(said, tail_of(before, own));
}

INSTANTIATE_TEST_SUITE_P(EveryWay, Copies, testing::ValuesIn(kForks));

TEST(Workers, make_uuids_certain_over_six_processes_whatever_the_tails) {
  const FreshHome home;
  constexpr int kProcesses = 6;
  constexpr std::size_t kIds = 200;
  prepare_node_ids(home.path(), "polyflake", kProcesses);
  void* const shared =
      ::mmap(nullptr, sizeof(std::atomic<int>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(shared, MAP_FAILED);
  auto* const waiting = new (shared) std::atomic<int>(kProcesses);
  Uuid7Options options;
  options.worker = "host";
  options.max_wait_ms = 5000;
  // Without their tails: as if those were all 0.
  const auto issue = [&] {
    Uuid7 ids(options);
    ids.next_id();
    --*waiting;
    while (*waiting > 0) ::usleep(100);  // all issue in the same ticks
    std::string said;
    for (const Uuid& id : ids.next_ids(kIds)) {
      const Uuid7Parts parts = ids.decode(id);
      said += std::to_string(ids.layout().pack(parts.tick, parts.node, parts.sequence)) + "\n";
    }
    return said;
  };
  std::set<std::string> all;
  std::vector<Copy> copies;
  for (int i = 0; i < kProcesses; ++i) copies.push_back(start_copy(plain_fork, issue));
  for (const Copy& copy : copies) {
    const std::string one = said_by(copy);
    for (std::size_t from = 0, to; (to = one.find('\n', from)) != std::string::npos; from = to + 1)
      all.insert(one.substr(from, to - from));
  }
  EXPECT_EQ(all.size(), kProcesses * kIds);
}

// The sequence with which a process of this key begins one tick, the same for all.
std::uint32_t start_of_a_tick(std::uint64_t key) {
  Uuid7Options options;
  options.clock = std::make_shared<ManualClock>(1'700'000'000'000);
  std::string bytes;
  for (int shift = 56; shift >= 0; shift -= 8) bytes += static_cast<char>(key >> shift);
  options.entropy = bytes + std::string(8, '\0');
  Uuid7 ids(options);
  return ids.decode(ids.next_id()).sequence;
}

// The key that a process draws for itself.
std::uint64_t key_of_this_process() {
  Options options;
  options.layout = kUuid7Layout;
  const Generator positions = OpenedWith::provider(options, make_keyed_node(options.layout, "uuid7"));
  return OpenedWith::node(positions).random_key().key;
}

TEST(Keys, spread_the_starts_of_a_tick_over_a_thousand_processes) {
  constexpr int kProcesses = 1000, kCells = 32;
  constexpr std::uint32_t kSpread = 1 << 15;
  std::vector<int> cells(kCells);
  // Rule C11: what a child inherits is not its own.
  std::set<std::uint64_t> keys = {key_of_this_process()};
  std::set<std::string> without_key;
  const Fork fork = *std::rbegin(kForks);
  for (int i = 0; i < kProcesses; ++i) {
    const auto key = std::stoull(in_copy(fork, [] { return std::to_string(key_of_this_process()); }));
    keys.insert(key);
    const std::uint32_t start = start_of_a_tick(key);
    ASSERT_LT(start, kSpread);
    ++cells[start * kCells / kSpread];
    without_key.insert(in_copy(fork, [] { return std::to_string(start_of_a_tick(0)); }));
  }
  EXPECT_EQ(keys.size(), kProcesses + 1U) << "no key twice, nor that of the parent";
  double chi_square = 0;
  constexpr double kExpected = static_cast<double>(kProcesses) / kCells;
  for (const int count : cells) chi_square += (count - kExpected) * (count - kExpected) / kExpected;
  EXPECT_LT(chi_square, 70) << "31 degrees of freedom: one run in 10 000 is above";
  EXPECT_EQ(without_key.size(), 1U) << "the mutant: without a key all begin alike";
}

}  // namespace
}  // namespace polyflake::test
