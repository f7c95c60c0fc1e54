// What happens to ids when the process is copied, beyond what holds for every source of node ids (tests/sources). Built
// twice: on the kernel's wiped page, and on the pthread_atfork handler that stands in where the kernel has none
// (POLYFLAKE_NO_WIPEONFORK).
#include <polyflake/polyflake.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "copies.hpp"
#include "expect_error.hpp"
#include "fresh_home.hpp"
#include "id_file.hpp"
#include "node_files.hpp"
#include "with_worker.hpp"

namespace polyflake::test {
namespace {

const Layout kLayout = "polyflake";

std::uint64_t unused_node() {
  static std::uint64_t next = 500;
  return next++;
}

class Forks : public testing::TestWithParam<Fork> {
 protected:
  const FreshHome home;
};

TEST_P(Forks, child_may_use_another_number_and_its_own_child_may_not_use_that) {
  const std::uint64_t node = unused_node(), other = unused_node();
  Generator generator(with_worker(node));
  generator.next_id();
  const std::string said = in_copy(GetParam(), [&] {
    Generator own(with_worker(other));
    if (kLayout.unpack(own.next_id()).node != other) return std::string("wrong node id");
    return in_copy(GetParam(), [&] { return std::to_string(own.next_id()); }) + " | " +
           in_copy(GetParam(), [&] { return std::to_string(Generator(with_worker(node)).next_id()); });
  });
  EXPECT_EQ(said.substr(0, 16), "forked_generator") << said;
  EXPECT_NE(said.find("| forked_generator"), std::string::npos) << said;
}

TEST_P(Forks, claim_is_void_in_the_child_and_stays_the_parents) {
  Options options = with_worker(unused_node());
  options.max_wait_ms = 1000;
  options.layout = "timestamp:40 worker:10 sequence:1 tick=100ms epoch=2020-01-01T00:00:00.000Z";
  Generator generator(options);
  Claims claims(generator);
  std::int64_t claimed = claims.claim();
  while (claimed >= -1) claimed = claims.claim();
  const auto id = static_cast<std::uint64_t>(~claimed);
  EXPECT_EQ(in_copy(GetParam(), [&] { return std::to_string(claims.wait_ns(id, 0)); }), "-1");
  EXPECT_GE(claims.wait_ns(id, 0), 0);
}

TEST_P(Forks, child_may_not_use_what_its_parent_has_in_reserve) {
  Options options = with_worker(5);
  options.ordering = Ordering::per_thread;
  options.clock = std::make_shared<ManualClock>(1'767'225'600'000);  // stands still: the reserve is of this tick
  Generator generator(options);
  generator.next_id();
  const std::uint64_t before = generator.next_id();  // the first of a reserve
  EXPECT_EQ(code_in(in_copy(GetParam(), [&] { return std::to_string(generator.next_id()); })), "forked_generator");
  EXPECT_EQ(code_in(in_copy(GetParam(), [&] { return std::to_string(*generator.try_next_id()); })), "forked_generator");
  EXPECT_EQ(code_in(in_copy(GetParam(), [&] { return std::to_string(generator.next_ids(9)[0]); })), "forked_generator");
  EXPECT_EQ(code_in(in_copy(GetParam(), [&] { return std::to_string(Claims(generator).claim_range(9).first); })),
            "forked_generator");
  EXPECT_EQ(generator.next_id(), before + 1);
}

TEST_P(Forks, child_does_not_mistake_the_reserve_of_its_parent_for_its_own) {
  Options options = with_worker(5);
  options.ordering = Ordering::per_thread;
  options.clock = std::make_shared<ManualClock>(1'767'225'600'000);
  Generator parent(options);
  const std::uint64_t first = parent.next_id();
  parent.next_id();  // the first of a reserve
  for (int i = 0; i < 5; ++i) {
    const std::string said = in_copy(GetParam(), [&] { return std::to_string(Generator(options).next_id()); });
    EXPECT_EQ(said, std::to_string(first)) << "a private node begins like any other";
    EXPECT_EQ(Generator(options).next_id(), first);
  }
}

TEST_P(Forks, child_has_reserves_of_its_own_under_another_node_id) {
  prepare_node_ids(home.path(), kLayout, 40);
  Options options = with_worker("host");
  options.ordering = Ordering::per_thread;
  Generator generator(options);
  for (int i = 0; i < 5; ++i) {
    const std::vector<std::uint64_t> before{generator.next_id(), generator.next_id()};
    const std::string said = in_copy(GetParam(), [&] {
      const std::uint64_t id = generator.next_id();
      const bool rises = id > before[1] && generator.next_id() > id;
      return std::to_string(kLayout.unpack(id).node) + (rises ? "" : ", not rising");
    });
    EXPECT_NE(said, std::to_string(generator.worker()));
    EXPECT_EQ(said.find_first_not_of("0123456789"), std::string::npos) << said;
    EXPECT_GT(generator.next_id(), before[1]);
    EXPECT_EQ(kLayout.unpack(generator.next_id()).node, generator.worker());
  }
}

TEST_P(Forks, child_that_exits_leaves_the_record_of_its_parent_unchanged) {
  prepare_node_ids(home.path(), kLayout, 40);
  Generator generator(with_worker("host"));
  const std::uint64_t before = generator.next_id();
  const std::string path = node_path(home.path(), kLayout, generator.worker());
  const std::string record = bytes_of(path);
  ASSERT_FALSE(record.empty());
  const auto exit_plainly = []() -> std::string { std::exit(0); };
  const auto issue_and_exit = [&]() -> std::string {
    generator.next_id();
    std::exit(0);
  };
  const auto drop_and_exit = [&]() -> std::string {
    generator.close();
    std::exit(0);
  };
  EXPECT_EQ(in_copy(GetParam(), exit_plainly), "");
  EXPECT_EQ(in_copy(GetParam(), issue_and_exit), "");
  EXPECT_EQ(in_copy(GetParam(), drop_and_exit), "");
  EXPECT_EQ(bytes_of(path), record);
  EXPECT_GT(generator.next_id(), before);
  HostRegistry registry(home.path(), kLayout);
  EXPECT_ERROR(registry.acquire(generator.worker()), worker_in_use);
}

TEST_P(Forks, child_issues_above_the_ids_of_its_parent) {
  prepare_node_ids(home.path(), kLayout, 40);
  Generator generator(with_worker("host"));
  for (int i = 0; i < 20; ++i) {
    const std::uint64_t before = generator.next_id();
    const std::string said = in_copy(GetParam(), [&] { return std::to_string(generator.next_id()); });
    EXPECT_GT(std::stoull(said), before);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Forks, testing::ValuesIn(kForks));

// Appends ids until told to stop or the file is full.
void issue_into(IdFile& file, Generator& generator, const std::atomic<bool>& stop) {
  while (!stop && file.count() < file.capacity()) file.append(generator.next_id());
}

TEST(ForksWithThreads, ids_of_all_threads_and_children_differ) {
  const FreshHome home;
  constexpr int kThreads = 4, kChildren = 24;
  constexpr std::size_t kPerChild = 20'000;
  prepare_node_ids(home.path(), kLayout, kChildren + 8);
  Generator generator(with_worker("host"));
  std::vector<std::unique_ptr<IdFile>> files;
  std::vector<std::thread> threads;
  std::atomic<bool> stop{false};
  for (int i = 0; i < kThreads; ++i) {
    files.push_back(std::make_unique<IdFile>(home.beside("thread" + std::to_string(i)), 4'000'000));
    threads.emplace_back(issue_into, std::ref(*files.back()), std::ref(generator), std::cref(stop));
  }
  // The copies are made while all threads issue.
  for (const auto& file : files) {
    while (file->count() == 0) std::this_thread::yield();
  }
  for (int i = 0; i < kChildren; ++i) {
    files.push_back(std::make_unique<IdFile>(home.beside("child" + std::to_string(i)), kPerChild));
    IdFile& file = *files.back();
    const std::string said = in_copy(plain_fork, [&] {
      while (file.count() < kPerChild) file.append(generator.next_id());
      return std::string("done");
    });
    EXPECT_EQ(said, "done");
    EXPECT_EQ(file.count(), kPerChild);
  }
  const auto issued_by_threads = [&] {
    std::size_t all = 0;
    for (int i = 0; i < kThreads; ++i) all += files[static_cast<std::size_t>(i)]->count();
    return all;
  };
  while (issued_by_threads() <= 100'000) std::this_thread::yield();
  stop = true;
  for (std::thread& thread : threads) thread.join();
  std::vector<std::uint64_t> ids;
  for (const auto& file : files) {
    for (std::size_t i = 0; i < file->count(); ++i) ids.push_back((*file)[i]);
  }
  EXPECT_GT(ids.size(), kChildren * kPerChild + 100'000);
  std::sort(ids.begin(), ids.end());
  EXPECT_EQ(std::adjacent_find(ids.begin(), ids.end()), ids.end());
}

TEST(OrphanedChildren, do_not_keep_the_node_id_of_a_parent_that_was_killed) {
  const FreshHome home;
  prepare_node_ids(home.path(), kLayout, 40);
  int ready[2], hold[2];
  ASSERT_EQ(::pipe(ready), 0);
  ASSERT_EQ(::pipe(hold), 0);
  const pid_t parent = ::fork();
  const auto be_the_parent = [&]() noexcept {  // an error ends it, instead of being taken for one of the test
    Generator generator(with_worker("host:7"));
    generator.next_id();
    const pid_t child = ::fork();
    char byte = 'r';
    if (child == 0) {
      ::close(hold[1]);
      if (::write(ready[1], &byte, 1) != 1) std::abort();
      while (::read(hold[0], &byte, 1) > 0) {
      }
      ::_exit(0);
    }
    for (;;) ::pause();
  };
  if (parent == 0) be_the_parent();
  ::close(hold[0]);
  ::close(ready[1]);  // so that the parent's early end is read as such
  char byte;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  HostRegistry registry(home.path(), kLayout);
  EXPECT_ERROR(registry.acquire(7), worker_in_use);
  ::kill(parent, SIGKILL);
  ::waitpid(parent, nullptr, 0);
  EXPECT_EQ(registry.acquire(7)->id(), 7U);
  for (const int end : {ready[0], hold[1]}) ::close(end);
}

}  // namespace
}  // namespace polyflake::test
