// A raw clone at every instruction of an extension: the copy goes on with the call, and must not write the file that
// guards its parent's node id. x86-64 Linux only.
#include <polyflake/polyflake.hpp>

#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../core/copies.hpp"
#include "../core/fresh_home.hpp"
#include "../core/node_files.hpp"
#include "../core/stepping.hpp"
#include "system_calls.hpp"

namespace polyflake::test {
namespace {

const Layout kLayout = "polyflake";
constexpr std::size_t kFileSize = kSlotOffsets[1] + kSlotSize;
constexpr unsigned kSecondsToFinish = 5;
constexpr long kSecondsBeyondAWindow = 3;

// Of the walk that is under way. The handler may interrupt an allocation, so nothing in it allocates.
int g_file = -1;
constexpr long kStride = 1;
volatile bool g_copy = false;
volatile long g_steps = 0, g_written = 0, g_unfinished = 0, g_first_written = 0, g_first_unfinished = 0;
char g_before[kFileSize], g_after[kFileSize];

void on_step(int, siginfo_t*, void* context) {
  g_steps = g_steps + 1;
  if (g_steps % kStride != 0 || g_written != 0 || g_unfinished > 3) return;
  const ssize_t size = ::pread(g_file, g_before, kFileSize, 0);
  const pid_t copy = raw_clone();
  if (copy == 0) {
    g_copy = true;
    ::alarm(kSecondsToFinish);
    pass_time(g_steps * 2 * kSecondsBeyondAWindow);  // beyond the windows of all copies before
    step_no_more(context);
    return;
  }
  int status = 0;
  ::waitpid(copy, &status, 0);
  if (status != 0 && g_unfinished++ == 0) g_first_unfinished = g_steps;
  const bool same = ::pread(g_file, g_after, kFileSize, 0) == size && std::memcmp(g_before, g_after, kFileSize) == 0;
  if (!same && g_written++ == 0) g_first_written = g_steps;
}

// Steps through the call and makes a copy after each instruction.
void copy_everywhere(Generator& generator, const std::string& path, void (*call)(Generator&)) {
  g_file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  g_steps = g_written = g_unfinished = 0;
  const std::int64_t before = mark_in(path);
  std::string failure;
  {
    const StepHandler handler(on_step);
    try {
      step_from_here();
      call(generator);
      step_no_more();
    } catch (const Error& error) {  // in copies; in the parent after one of them wrote to its file
      step_no_more();
      failure = error.what();
    }
    if (g_copy) ::_exit(0);
  }
  ::close(g_file);
  std::printf("%ld instructions; %ld copies wrote, first at %ld; %ld did not finish, first at %ld\n", g_steps, g_written,
              g_first_written, g_unfinished, g_first_unfinished);
  EXPECT_EQ(failure, "");
  EXPECT_GT(mark_in(path), before) << "the call itself extended";
  EXPECT_GT(g_steps, 1000);
  EXPECT_EQ(g_written, 0);
  EXPECT_EQ(g_unfinished, 0);
}

class CopiesInAnExtension : public testing::Test {
 protected:
  CopiesInAnExtension() {
    on_calls(leave_out_flushes);
    set_clock_ahead(1);
    let_sleepers_pass_time();
    stop_clock();
    Options options;
    options.worker = "host:7";
    generator = std::make_unique<Generator>(options);
    generator->next_id();
    pass_time(kSecondsBeyondAWindow);
  }

  ~CopiesInAnExtension() override { on_calls(nullptr); }

  const FreshHome home;
  std::unique_ptr<Generator> generator;
};

TEST_F(CopiesInAnExtension, of_next_id_never_write_the_file_of_their_parent) {
  copy_everywhere(*generator, node_path(home.path(), kLayout, 7), [](Generator& one) { one.next_id(); });
}

TEST_F(CopiesInAnExtension, of_renew_never_write_the_file_of_their_parent) {
  copy_everywhere(*generator, node_path(home.path(), kLayout, 7), [](Generator& one) { one.renew(); });
}

}  // namespace
}  // namespace polyflake::test
