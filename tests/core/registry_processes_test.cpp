// The host registry between processes: who gets which node id, and what their ends leave behind.
#include <polyflake/polyflake.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>

#include "expect_error.hpp"
#include "fresh_home.hpp"
#include "host/registry.hpp"
#include "id_file.hpp"
#include "node_files.hpp"
#include "program.hpp"
#include "system.hpp"

namespace polyflake::test {
namespace {

const Layout kLayout = "polyflake";

std::string path(const FreshHome& home, std::uint64_t node) { return node_path(home.path(), kLayout, node); }

TEST(Processes, second_holder_of_a_node_id_is_told_the_pid_of_the_first_and_that_it_runs) {
  const FreshHome home;
  Program first = start_issuer("polyflake", "host:7");
  ASSERT_EQ(first.line(), "worker 7");
  Program second = start_issuer("polyflake", "host:7");
  const std::string line = second.line();
  EXPECT_EQ(line.substr(0, 20), "error worker_in_use:");
  EXPECT_NE(line.find("/" + std::to_string(first.pid()) + " (host/pid, running)"), std::string::npos) << line;
  EXPECT_EQ(second.wait(), 1);
}

TEST(Processes, killed_holders_leave_a_mark_ahead_of_every_id_and_free_the_node_id_at_once) {
  const FreshHome home;
  Program first = start_issuer("polyflake", "host:7", 200'000, home.beside("first"));
  ASSERT_EQ(first.line(), "worker 7");
  ASSERT_EQ(first.line(), "done");
  ASSERT_EQ(first.kill_now(), Program::kKilled);
  const IdFile ids(home.beside("first"));
  const std::uint64_t last = ids[ids.count() - 1];
  const std::int64_t mark = mark_in(path(home, 7));
  EXPECT_GT(mark, kLayout.unpack(last).time_ms);

  Program second = start_issuer("polyflake", "host:7", 1, home.beside("second"));
  ASSERT_EQ(second.line(), "worker 7");
  ASSERT_EQ(second.line(), "done");
  EXPECT_GE(kLayout.unpack(IdFile(home.beside("second"))[0]).time_ms, mark);
}

TEST(Processes, exiting_lowers_the_mark_to_just_after_the_last_id) {
  const FreshHome home;
  Program program = start_issuer("polyflake", "host:7", 100'000, home.beside("ids"));
  ASSERT_EQ(program.line(), "worker 7");
  ASSERT_EQ(program.line(), "done");
  ASSERT_EQ(program.end(), 0);
  const IdFile ids(home.beside("ids"));
  EXPECT_EQ(mark_in(path(home, 7)), kLayout.unpack(ids[ids.count() - 1]).time_ms + 1);
  const std::uint64_t start = HostRegistry(home.path(), kLayout).acquire(7)->start_tick();
  EXPECT_LE(kLayout.time_of(start), SystemClock::read_ms()) << "nothing to wait for";
  Program next = start_issuer("polyflake", "host:7");
  ASSERT_EQ(next.line(), "worker 7");
}

TEST(Processes, generator_goes_on_with_higher_ids_after_its_file_was_removed) {
  const FreshHome home;
  Options options;
  options.worker = "host";
  Generator generator(options);
  const std::uint64_t node = generator.worker();
  std::uint64_t last = generator.next_id();
  std::error_code refused;
  ASSERT_EQ(std::filesystem::remove(path(home, node), refused), kHeldFilesCanBeRemoved);
  if (!kHeldFilesCanBeRemoved) return;
  const std::int64_t until = generator.stats().until_ms;
  std::string failure = "none";
  while (failure == "none") {
    failure = error_of([&] {
      const std::uint64_t id = generator.next_id();
      EXPECT_GT(id, last);
      last = id;
    });
  }
  EXPECT_EQ(code_in(failure), "registry_unusable");
  EXPECT_LT(kLayout.unpack(last).time_ms, until);
  const std::uint64_t next = generator.next_id();
  EXPECT_GT(next, last);
  EXPECT_TRUE(std::filesystem::exists(path(home, generator.worker())));
  EXPECT_GT(mark_in(path(home, generator.worker())), kLayout.unpack(next).time_ms);
}

TEST(Processes, a_folder_that_cannot_be_used_is_an_error_that_names_it) {
  Program program = start_issuer("polyflake", "host", 0, "", {std::string("POLYFLAKE_HOME=") + kNoFolder});
  const std::string line = program.line();
  EXPECT_EQ(line.substr(0, 24), "error registry_unusable:");
  EXPECT_NE(line.find(kNoFolder), std::string::npos) << line;
}

}  // namespace
}  // namespace polyflake::test
