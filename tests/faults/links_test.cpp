// Registry folders behind a symbolic link that is switched to a folder which was used before, as releases are; by the true
// clock, for the times of links are the file system's.
#include <gtest/gtest.h>

#include <polyflake/polyflake.hpp>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "../core/copies.hpp"
#include "../core/fresh_home.hpp"
#include "sibling.hpp"

namespace polyflake::test {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kLongestLeadMs = 1998;
constexpr std::size_t kMany = 4000;
const Layout kNarrow("timestamp:41 worker:18 sequence:4 tick=1ms epoch=2020-01-01T00:00:00.000Z");  // soon far ahead

std::unique_ptr<Sibling> start(const std::string& folder) {
  ::setenv("POLYFLAKE_HOME", folder.c_str(), 1);
  return std::make_unique<Sibling>(kNarrow.text(), kLongestLeadMs);
}

void point(const std::string& link, const std::string& target) {
  fs::create_symlink(target, link + ".new");
  fs::rename(link + ".new", link);
}

// Two folders behind a link, and a way to them: under the link, or over another link.
struct Way {
  std::string name, link, targets[2], folder, below;

  std::string real(const std::string& target) const {
    return (fs::path(link).parent_path() / target).string() + below;  // an absolute target takes the place of the whole
  }
};

class SwitchedLinks : public testing::Test {
 protected:
  Way make(const std::string& name, const std::string& below) const {
    const std::string base = home.beside(name);
    Way way = {name, base + "/current", {"1", base + "/2"}, base + "/current" + below, below};
    for (const char* const folder : {"/1", "/2"}) fs::create_directories(base + folder + below);
    point(way.link, way.targets[0]);
    return way;
  }

  // Leaves both folders as processes that ended an hour ago do: node id 0 is free, and its mark has passed.
  static void use_both(const Way& way) {
    sleep_truly(20);  // times of files are coarse: the link is older than what is written now
    for (const std::string& target : way.targets) prepare_node_ids(way.real(target), kNarrow, 1);
  }

  static void run_ahead(Sibling& one) {
    for (int i = 0; i < 10; ++i) one.take(0, kMany);
  }

  const FreshHome home;
};

TEST_F(SwitchedLinks, to_a_folder_that_was_used_before_make_its_starters_wait_and_its_holders_stop) {
  std::vector<Way> ways = {make("home", ""), make("parent", "/below"), make("behind", "")};
  const std::string outer = home.beside("behind") + "/outer";
  point(outer, "current");
  ways.back().folder = outer;
  for (const Way& way : ways) {
    use_both(way);
    const auto one = start(way.folder), two = start(way.folder);
    ASSERT_EQ(one->open("host:0"), "none") << way.name;
    ASSERT_EQ(one->take(), "none") << way.name;
    run_ahead(*one);
    const std::int64_t switched_ms = SystemClock::read_ms();
    point(way.link, way.targets[1]);
    ASSERT_EQ(two->open("host:0"), "none") << way.name;
    run_ahead(*two);
    EXPECT_EQ(duplicates_of({one.get(), two.get()}).size(), 0U) << way.name;
    EXPECT_GE(kNarrow.unpack(two->ids().front()).time_ms, switched_ms + 1990) << way.name;
    EXPECT_EQ(code_in(one->take()), "registry_unusable") << way.name;
    EXPECT_EQ(code_in(one->take()), "worker_in_use") << way.name << ": it looks in the other folder";
    EXPECT_EQ(duplicates_of({one.get(), two.get()}).size(), 0U) << way.name;
  }
}

// Its write is about its own node id: it comes over another path, and says nothing of the link.
TEST_F(SwitchedLinks, are_seen_although_a_new_node_id_was_taken_by_another_path) {
  const Way way = make("home", "");
  use_both(way);
  const auto one = start(way.folder), two = start(way.folder), other = start(way.real(way.targets[1]));
  ASSERT_EQ(one->open("host:0"), "none");
  ASSERT_EQ(one->take(), "none");
  point(way.link, way.targets[1]);
  sleep_truly(20);  // what `other` writes is later than the link, by coarse times too
  ASSERT_EQ(other->open("host:1"), "none");
  ASSERT_EQ(other->take(), "none");
  ASSERT_EQ(two->open("host:0"), "none");
  run_ahead(*one);
  run_ahead(*two);
  EXPECT_EQ(duplicates_of({one.get(), two.get()}).size(), 0U);
}

TEST_F(SwitchedLinks, that_are_switched_back_at_once_are_seen_on_both_sides) {
  const Way way = make("home", "");
  use_both(way);
  const auto one = start(way.folder), two = start(way.folder), three = start(way.folder);
  ASSERT_EQ(one->open("host:0"), "none");
  ASSERT_EQ(one->take(), "none");
  run_ahead(*one);
  fs::rename(way.link, way.link + ".old");
  point(way.link, way.targets[1]);
  ASSERT_EQ(two->open("host:0"), "none");
  fs::rename(way.link + ".old", way.link);
  ASSERT_EQ(three->open("host"), "none");
  EXPECT_EQ(code_in(two->take()), "registry_unusable");
  EXPECT_EQ(code_in(one->take()), "registry_unusable");
  for (int i = 0; i < 2; ++i) {
    for (Sibling* const sibling : {one.get(), two.get(), three.get()}) run_ahead(*sibling);
  }
  EXPECT_EQ(duplicates_of({one.get(), two.get(), three.get()}).size(), 0U);
}

}  // namespace
}  // namespace polyflake::test
