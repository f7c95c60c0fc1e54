// What stands in the host registry. Each test has a registry folder of its own.
#include <polyflake/polyflake.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "expect_error.hpp"
#include "fresh_home.hpp"
#include "os/locked_file.hpp"
#include "os/os.hpp"

namespace polyflake::test {
namespace {

std::unique_ptr<Generator> open(const std::string& worker, const Layout& layout) {
  Options options;
  options.worker = worker;
  options.layout = layout;
  return std::make_unique<Generator>(options);
}

TEST(RegistryContents, are_empty_where_there_is_no_folder_and_make_none) {
  const FreshHome home;
  EXPECT_TRUE(registry_contents().empty());
  EXPECT_EQ(registry_home().path, home.path());
  EXPECT_FALSE(std::filesystem::exists(home.path()));
}

TEST(RegistryContents, say_who_holds_which_node_id_and_until_when) {
  const FreshHome home;
  const Layout layout("timestamp:41 looked_at:10 sequence:12 tick=1ms epoch=2020-01-01T00:00:00.000Z");
  const std::int64_t before_ms = SystemClock::read_ms();
  const auto one = open("host:7", layout);
  const auto two = open("host:3", layout);
  const std::int64_t after_ms = SystemClock::read_ms();
  const auto folders = registry_contents();
  ASSERT_EQ(folders.size(), 1U);
  EXPECT_EQ(folders[0].fingerprint, layout.fingerprint());
  ASSERT_EQ(folders[0].nodes.size(), 2U);
  EXPECT_EQ(folders[0].nodes[0].node, 3U);
  EXPECT_EQ(folders[0].nodes[1].node, 7U);
  for (const HostNode& node : folders[0].nodes) {
    EXPECT_TRUE(node.held);
    EXPECT_EQ(node.holder, platform::owner_label());
    EXPECT_GT(node.until_ms, before_ms);
    EXPECT_LT(node.until_ms, after_ms + 10'000);
  }
}

TEST(RegistryContents, have_a_folder_for_each_layout) {
  const FreshHome home;
  const auto one = open("host", "timestamp:41 looked_at_a:10 sequence:12 tick=1ms epoch=2020-01-01T00:00:00.000Z");
  const auto two = open("host", "timestamp:41 looked_at_b:10 sequence:12 tick=1ms epoch=2020-01-01T00:00:00.000Z");
  std::filesystem::create_directory(platform::inside(home.path(), "something-else"));
  EXPECT_EQ(registry_contents().size(), 2U);
}

TEST(RegistryContents, tell_a_file_that_nobody_holds) {
  const FreshHome home;
  const Layout layout("timestamp:41 looked_at_c:10 sequence:12 tick=1ms epoch=2020-01-01T00:00:00.000Z");
  const auto one = open("host:1", layout);
  const std::string folder = platform::inside(home.path(), to_text(layout.fingerprint(), "hex"));
  std::filesystem::copy_file(platform::inside(folder, "1"), platform::inside(folder, "2"));
  const auto folders = registry_contents();
  ASSERT_EQ(folders.at(0).nodes.size(), 2U);
  EXPECT_TRUE(folders[0].nodes[0].held);
  EXPECT_FALSE(folders[0].nodes[1].held);
}

TEST(RegistryContents, say_of_a_corrupt_file_what_is_wrong_and_of_the_others_what_they_hold) {
  const FreshHome home;
  const Layout layout("timestamp:41 looked_at_d:10 sequence:12 tick=1ms epoch=2020-01-01T00:00:00.000Z");
  const auto one = open("host:1", layout);
  const std::string folder = platform::inside(home.path(), to_text(layout.fingerprint(), "hex"));
  std::ofstream(platform::inside(folder, "9")) << "nothing of ours";
  const auto folders = registry_contents();
  ASSERT_EQ(folders.at(0).nodes.size(), 2U);
  EXPECT_TRUE(folders[0].nodes[0].held);
  EXPECT_EQ(folders[0].nodes[0].unusable, "");
  EXPECT_EQ(folders[0].nodes[1].node, 9U);
  EXPECT_NE(folders[0].nodes[1].unusable.find("is corrupt"), std::string::npos);
}

TEST(RegistryContents, say_of_the_list_of_node_ids_why_it_cannot_be_used) {
  const FreshHome home;
  const Layout layout("timestamp:41 looked_at_e:10 sequence:12 tick=1ms epoch=2020-01-01T00:00:00.000Z");
  const auto one = open("host:1", layout);
  EXPECT_EQ(registry_contents().at(0).unusable, "");
  const std::string folder = platform::inside(home.path(), to_text(layout.fingerprint(), "hex"));
  std::ofstream(platform::inside(folder, "nodes")) << "nothing of ours";
  EXPECT_NE(registry_contents().at(0).unusable.find("is corrupt"), std::string::npos);
}

TEST(RegistryContents, tell_a_file_without_a_record) {
  const FreshHome home;
  const Layout layout("timestamp:41 looked_at_f:10 sequence:12 tick=1ms epoch=2020-01-01T00:00:00.000Z");
  const auto one = open("host:1", layout);
  const std::string folder = platform::inside(home.path(), to_text(layout.fingerprint(), "hex"));
  const std::ofstream file(platform::inside(folder, "9"));
  const auto folders = registry_contents();
  ASSERT_EQ(folders.at(0).nodes.size(), 2U);
  EXPECT_FALSE(folders[0].nodes[0].empty);
  EXPECT_TRUE(folders[0].nodes[1].empty);
  EXPECT_EQ(folders[0].nodes[1].until_ms, 0);
}

#if defined(__linux__)
TEST(RegistryContents, name_the_process_that_has_locked_the_list_and_do_not_wait_for_it) {
  const FreshHome home;
  const Layout layout("timestamp:41 looked_at_g:10 sequence:12 tick=1ms epoch=2020-01-01T00:00:00.000Z");
  const auto one = open("host:1", layout);
  EXPECT_EQ(registry_contents().at(0).locked_by, "");
  const std::string folder = platform::inside(home.path(), to_text(layout.fingerprint(), "hex"));
  LockedFile nodes(platform::inside(folder, "nodes"));
  ASSERT_EQ(nodes.try_lock(LockedFile::Missing::leave), LockedFile::Try::locked);
  EXPECT_EQ(registry_contents().at(0).locked_by, platform::owner_label());
}
#endif

}  // namespace
}  // namespace polyflake::test
