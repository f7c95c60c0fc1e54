// The registry's files where they are those of Windows: what holding one keeps others from, and how the system is asked.
#include <polyflake/polyflake.hpp>

#include <gtest/gtest.h>

#include <exception>
#include <filesystem>
#include <string>
#include <thread>

#include "expect_error.hpp"
#include "fresh_home.hpp"
#include "host/registry.hpp"
#include "node_files.hpp"
#include "os/os.hpp"
#include "program.hpp"
#include "system.hpp"

namespace polyflake::test {
namespace {

const Layout kLayout = "polyflake";

TEST(NodeFiles, cannot_be_removed_or_renamed_while_they_are_held) {
  const FreshHome home;
  const std::string path = node_path(home.path(), kLayout, 7);
  auto node = HostRegistry(home.path(), kLayout).acquire(7);
  EXPECT_FALSE(::DeleteFileW(platform::system_path(path).c_str()));
  EXPECT_FALSE(::MoveFileW(platform::system_path(path).c_str(), platform::system_path(path + "x").c_str()));
  node.reset();
  EXPECT_TRUE(::DeleteFileW(platform::system_path(path).c_str()));
}

TEST(NodeFiles, can_be_read_while_they_are_held) {
  const FreshHome home;
  const auto node = HostRegistry(home.path(), kLayout).acquire(7);
  const std::string slot = newest_slot(node_path(home.path(), kLayout, 7));
  EXPECT_NE(slot.find("/" + std::to_string(this_process()) + "\n"), std::string::npos) << slot;
}

TEST(NodeFiles, are_missed_when_the_folder_above_them_is_renamed) {
  const FreshHome home;
  ManualClock clock(SystemClock::read_ms());
  const auto node = HostRegistry(home.path(), kLayout, &clock).acquire(7);
  const std::string away = home.beside("away");
  if (!::MoveFileW(platform::system_path(home.path()).c_str(), platform::system_path(away).c_str())) {
    GTEST_SKIP() << "the system does not rename a folder with a file that is held";
  }
  Grant grant(node->start_tick(), node->until_tick(), 12);
  clock.advance(50);  // so that there is something to gain
  EXPECT_EQ(node->extend(grant, node->start_tick()), Extension::lost);
  EXPECT_ERROR(std::rethrow_exception(node->failure()), registry_unusable);
}

// As an antivirus program opens it.
TEST(NodeFiles, are_waited_for_while_another_program_looks_into_them) {
  const FreshHome home;
  HostRegistry registry(home.path(), kLayout);
  registry.acquire(7);
  platform::Handle looking(::CreateFileW(platform::system_path(node_path(home.path(), kLayout, 7)).c_str(),
                                         GENERIC_READ, 0, nullptr, OPEN_EXISTING, 0, nullptr));
  ASSERT_TRUE(looking);
  std::thread closing([&] {
    ::Sleep(15);
    looking = platform::Handle();
  });
  EXPECT_NO_THROW(registry.acquire(7));
  closing.join();
}

TEST(NodeFiles, of_foreign_paths_are_files_like_others) {
  const FreshHome home;
  HostRegistry registry(home.beside("gr\xC3\xB6\xC3\x9F"
                                    "e \xE6\x97\xA5\xE6\x9C\xAC"),
                        kLayout);
  EXPECT_EQ(registry.acquire(7)->id(), 7U);
  EXPECT_EQ(platform::names_in(registry.folder()).size(), 4U) << "two files, the folder itself and the one above";
}

// Wine 8 does not tell where it keeps a file whose path is longer than 130 characters.
bool is_wine() { return ::GetProcAddress(::GetModuleHandleW(L"ntdll.dll"), "wine_get_version") != nullptr; }

TEST(NodeFiles, of_long_paths_are_files_like_others) {
  if (is_wine()) GTEST_SKIP() << "on Windows alone";
  const FreshHome home;
  std::string folder = home.path();
  for (int depth = 0; depth < 4; ++depth) folder = platform::inside(folder, std::string(80, 'x'));
  EXPECT_EQ(HostRegistry(folder, kLayout).acquire(7)->id(), 7U);
}

TEST(Folders, on_other_hosts_and_without_a_drive_are_refused) {
  const FreshHome home;
  for (const char* const value :
       {"\\\\server\\share", "//server/share", "\\\\?\\C:\\state", "C:relative", "\\rooted", "/rooted"}) {
    set_variable("POLYFLAKE_HOME", value);
    EXPECT_ERROR(HostRegistry::default_home(), registry_unusable);
  }
}

TEST(Variables, are_those_of_the_system_in_utf_8) {
  const std::string text =
      "gr\xC3\xB6\xC3\x9F"
      "e";
  ASSERT_TRUE(::SetEnvironmentVariableW(L"POLYFLAKE_TEST", platform::wide(text).c_str()));
  EXPECT_EQ(platform::environment("POLYFLAKE_TEST"), text);
  ASSERT_TRUE(::SetEnvironmentVariableW(L"POLYFLAKE_TEST", L""));
  EXPECT_EQ(platform::environment("POLYFLAKE_TEST"), "");
  const std::string large(5000, 'x');
  ASSERT_TRUE(::SetEnvironmentVariableW(L"POLYFLAKE_TEST", platform::wide(large).c_str()));
  EXPECT_EQ(platform::environment("POLYFLAKE_TEST"), large);
  ASSERT_TRUE(::SetEnvironmentVariableW(L"POLYFLAKE_TEST", nullptr));
  EXPECT_EQ(platform::environment("POLYFLAKE_TEST"), std::nullopt);
}

TEST(Sleeping, below_a_millisecond_takes_time_and_says_how_much) {
  for (const std::int64_t ns : {100'000, 500'000, 3'000'000}) {
    const std::int64_t before = SystemClock::read_ns();
    const std::int64_t slept = sleep_ns(ns);
    const std::int64_t passed = SystemClock::read_ns() - before;
    EXPECT_GT(slept, 0);
    EXPECT_LE(slept, passed + 1'000'000) << ns;
    EXPECT_GE(passed, ns / 2);
  }
}

TEST(Processes, that_were_terminated_free_their_node_ids_at_the_first_try) {
  const FreshHome home;
  for (int round = 0; round < 30; ++round) {
    Program holder = start_issuer("polyflake", "host:7");
    ASSERT_EQ(holder.line(), "worker 7");
    ASSERT_EQ(holder.kill_now(), Program::kKilled);
    EXPECT_EQ(HostRegistry(home.path(), kLayout).acquire(7)->id(), 7U);
  }
}

}  // namespace
}  // namespace polyflake::test
