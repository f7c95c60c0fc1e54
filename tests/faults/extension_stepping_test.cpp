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
constexpr long kSecondsBeyondAWindow = 3;

// Of the walk that is under way. The handler may interrupt an allocation, so nothing in it allocates.
int g_file = -1;
volatile bool g_copy = false, g_walks_only = false;
volatile long g_steps = 0, g_written = 0, g_unfinished = 0, g_first_written = 0, g_first_unfinished = 0, g_write_at = 0;
char g_before[kFileSize], g_after[kFileSize];

// Copies take a millisecond each. Where the file is about to be written every instruction counts, elsewhere some do.
bool is_worth_a_copy(long step) {
  constexpr long kStride = 11, kBefore = 1500, kAfter = 300;
  return step % kStride == 0 || (step > g_write_at - kBefore && step < g_write_at + kAfter);
}

// A handler of calls; learns when the file is written.
int note_writes(const Call& call) {
  const bool writes = is(call, "pwrite") || is(call, "pwritev") || is(call, "write");
  if (writes && !g_copy) g_write_at = g_steps;
  return leave_out_flushes(call);
}

void on_step(int, siginfo_t*, void* context) {
  g_steps = g_steps + 1;
  if (g_walks_only || !is_worth_a_copy(g_steps) || g_written != 0 || g_unfinished > 1) return;
  const ssize_t size = ::pread(g_file, g_before, kFileSize, 0);
  const pid_t copy = raw_clone();
  if (copy == 0) {
    g_copy = true;
    ::alarm(kSecondsToHang);
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

// What the call raised, "" for nothing. Copies do not return from here.
std::string step_through(Generator& generator, void (*call)(Generator&)) {
  g_steps = g_written = g_unfinished = 0;
  const StepHandler handler(on_step);
  std::string failure;
  try {
    step_from_here();
    call(generator);
    step_no_more();
  } catch (const Error& error) {  // in copies; in the parent after one of them wrote to its file
    step_no_more();
    failure = error.what();
  }
  if (g_copy) ::_exit(0);
  return failure;
}

// Steps through the call, and once more with copies.
void copy_everywhere(Generator& generator, const std::string& path, void (*call)(Generator&)) {
  g_walks_only = true;
  step_through(generator, call);
  g_walks_only = false;
  pass_time(kSecondsBeyondAWindow);
  const std::int64_t before = mark_in(path);
  g_file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const std::string failure = step_through(generator, call);
  ::close(g_file);
  std::printf("%ld instructions, a write at %ld; %ld copies wrote, first at %ld; %ld did not finish, first at %ld\n",
              g_steps, g_write_at, g_written, g_first_written, g_unfinished, g_first_unfinished);
  EXPECT_EQ(failure, "");
  EXPECT_GT(mark_in(path), before) << "the call itself extended";
  EXPECT_GT(g_steps, 1000);
  EXPECT_GT(g_write_at, 0);
  EXPECT_EQ(g_written, 0);
  EXPECT_EQ(g_unfinished, 0);
}

class CopiesInAnExtension : public testing::Test {
 protected:
  CopiesInAnExtension() {
    on_calls(note_writes);
    static long ahead = 0;  // so that no change of a file looks as if it came after what is written in it
    set_clock_ahead(ahead += 3600);
    let_sleepers_pass_time();
    stop_clock();
    Options options;
    options.worker = "host";
    generator = std::make_unique<Generator>(options);
    generator->next_id();
    pass_time(kSecondsBeyondAWindow);
  }

  ~CopiesInAnExtension() override {
    on_calls(nullptr);
    go_by_the_true_clock();
  }

  const FreshHome home;
  std::unique_ptr<Generator> generator;
};

TEST_F(CopiesInAnExtension, of_next_id_never_write_the_file_of_their_parent) {
  copy_everywhere(*generator, node_path(home.path(), kLayout, generator->worker()),
                  [](Generator& one) { one.next_id(); });
}

TEST_F(CopiesInAnExtension, of_renew_never_write_the_file_of_their_parent) {
  copy_everywhere(*generator, node_path(home.path(), kLayout, generator->worker()),
                  [](Generator& one) { one.renew(); });
}

}  // namespace
}  // namespace polyflake::test
