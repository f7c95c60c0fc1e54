// The registry's files where they are POSIX's: modes, links, descriptors, and locks that a child inherits.
#include <polyflake/polyflake.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "copies.hpp"
#include "expect_error.hpp"
#include "fresh_home.hpp"
#include "host/registry.hpp"
#include "node_files.hpp"
#include "os/locked_file.hpp"
#include "program.hpp"

namespace polyflake::test {
namespace {

const Layout kLayout = "polyflake";

TEST(NodeFiles, are_private_in_private_folders) {
  const FreshHome home;
  const auto node = HostRegistry(home.path(), kLayout).acquire(7);
  struct stat info;
  ASSERT_EQ(::stat(node_path(home.path(), kLayout, 7).c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0600U);
  ASSERT_EQ(::stat(home.path().c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0700U);
}

TEST(NodeFiles, are_refused_where_a_symbolic_link_is_in_their_place) {
  const FreshHome home;
  HostRegistry registry(home.path(), kLayout);
  registry.acquire(1);
  const std::string one = node_path(home.path(), kLayout, 1), seven = node_path(home.path(), kLayout, 7);
  ASSERT_EQ(::symlink(one.c_str(), seven.c_str()), 0);
  EXPECT_ERROR(registry.acquire(7), registry_unusable);
}

TEST(NodeFiles, are_refused_at_once_where_a_pipe_is_in_their_place) {
  const FreshHome home;
  HostRegistry registry(home.path(), kLayout);
  registry.acquire(1);
  ASSERT_EQ(::mkfifo(node_path(home.path(), kLayout, 7).c_str(), 0600), 0);
  EXPECT_ERROR(registry.acquire(7), registry_unusable);
  const std::vector<HostFolder> folders = registry_contents();
  ASSERT_EQ(folders.size(), 1U);
  const std::vector<HostNode>& nodes = folders.front().nodes;
  const auto seventh = std::find_if(nodes.begin(), nodes.end(), [](const HostNode& node) { return node.node == 7; });
  ASSERT_NE(seventh, nodes.end());
  EXPECT_NE(seventh->unusable, "");
}

// The descriptor under which this process has the file open, -1 for none.
int descriptor_of(const std::string& path) {
  struct stat file, open_file;
  if (::stat(path.c_str(), &file) != 0) return -1;
  for (int descriptor = 0; descriptor < 1024; ++descriptor) {
    if (::fstat(descriptor, &open_file) == 0 && open_file.st_dev == file.st_dev && open_file.st_ino == file.st_ino) {
      return descriptor;
    }
  }
  return -1;
}

TEST(NodeFiles, leave_a_descriptor_alone_that_the_application_uses_by_now) {
  FreshHome home;
  ManualClock clock(SystemClock::read_ms());
  HostRegistry registry(home.path(), "polyflake", &clock);
  auto node = registry.acquire(7);
  const int taken = descriptor_of(node_path(home.path(), "polyflake", 7));
  ASSERT_GE(taken, 0);
  const int other = ::open("/dev/null", O_RDONLY);
  ASSERT_EQ(::dup2(other, taken), taken);
  ::close(other);
  Grant grant(node->start_tick(), node->until_tick(), 12);
  clock.advance(50);  // so that there is something to gain
  EXPECT_EQ(node->extend(grant, node->start_tick()), Extension::lost);
  EXPECT_ERROR(std::rethrow_exception(node->failure()), registry_unusable);
  node.reset();
  EXPECT_EQ(::fcntl(taken, F_GETFD), 0) << "still open";
  ::close(taken);
}

TEST(NodeFiles, stay_locked_and_unflushed_when_a_copy_of_the_process_gives_them_back) {
  const FreshHome home;
  const std::string path = home.beside("nodes");
  LockedFile file(path), another(path);
  ASSERT_EQ(file.try_lock(LockedFile::Missing::make), LockedFile::Try::locked);
  for (const Fork fork : kForks) {
    const std::string said = in_copy(fork, [&] {
      file.unlock();
      file.flush();
      return std::string("flushed");
    });
    EXPECT_EQ(code_in(said), "forked_generator");
    EXPECT_EQ(another.try_lock(LockedFile::Missing::leave), LockedFile::Try::held);
  }
  file.unlock();
  EXPECT_EQ(another.try_lock(LockedFile::Missing::leave), LockedFile::Try::locked);
}

TEST(NodeFiles, a_lock_that_outlives_its_process_is_said_to) {
  const FreshHome home;
  Program first = start_issuer("polyflake", "host:7");
  ASSERT_EQ(first.line(), "worker 7");
  first.kill_now();
  const int left_behind = ::open(node_path(home.path(), kLayout, 7).c_str(), O_RDWR);
  ASSERT_EQ(::flock(left_behind, LOCK_EX | LOCK_NB), 0);
  const std::string line = start_issuer("polyflake", "host:7").line();
  EXPECT_NE(line.find("(host/pid, not running), perhaps by a child"), std::string::npos) << line;
  ::close(left_behind);
}

}  // namespace
}  // namespace polyflake::test
