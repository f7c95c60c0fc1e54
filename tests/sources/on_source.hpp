// A place where nobody used a source before, on a clock that only the test and sleepers move, and processes in it.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../core/copies.hpp"
#include "../core/together.hpp"
#include "../faults/stopped_time.hpp"
#include "../faults/timed_waits.hpp"
#include "sources.hpp"

namespace polyflake::test {

// 16 ids a tick, so that ticks are soon used up.
const Layout kLayout = "timestamp:41 worker:18 sequence:4 tick=1ms epoch=2020-01-01T00:00:00.000Z";

// The process of the test itself has no generators: what a node id came to would last for the tests after this one.
class OnASource : public StoppedTime {
 protected:
  explicit OnASource(Source row) : source(std::move(row)), manual_(manual_clock_of_all_processes(clock_now_ms())) {
    on_calls(leave_out_flushes);
    if (source.store == nullptr) return;
    let_sleepers_heed_timed_waits();
    let_own_timed_waits_pass_time();
  }
  ~OnASource() override { on_calls(nullptr); }

  Options options() const {
    Options options;
    options.layout = kLayout;
    options.worker = source.store != nullptr ? in_store() : source.worker;
    options.sequence_spread = 1;
    if (source.on_manual_clock) options.clock = manual_;
    return options;
  }

  // The clock of the source, the same in all processes.
  std::int64_t now_ms() const { return source.on_manual_clock ? manual_->time_ms() : clock_now_ms(); }
  void pass_ms(std::int64_t ms) const {
    manual_->advance(ms);
    sleep_ns(ms * 1'000'000);
  }
  void set_forward(long seconds) const {
    manual_->advance(1000 * seconds);
    set_clock_forward(seconds);
  }

  // In a process of its own; what fails there fails the test.
  static void in_process(const std::function<void()>& work) {
    std::fflush(stdout);
    const pid_t pid = ::fork();
    if (pid == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      ::alarm(kSecondsToHang);
      const std::string failure = error_of(work);
      EXPECT_EQ(failure, "none");
      std::fflush(stdout);
      ::_exit(testing::Test::HasFailure() ? 1 : 0);
    }
    int status = 0;
    ::waitpid(pid, &status, 0);
    EXPECT_EQ(status, 0) << "of the process that did it";
  }
  std::unique_ptr<Sibling> process() const { return std::make_unique<Sibling>(options()); }

  std::string node_file(std::uint64_t node) const {
    return node_path(home.path() + (source.on_manual_clock ? "/manual-clock" : ""), kLayout, node);
  }

  // What comes of a call for an id, to one who knows the node id of somebody else.
  static std::string answer(std::uint64_t node_of_other, const std::function<std::uint64_t()>& issue) {
    std::uint64_t id = 0;
    const std::string failure = error_of([&] { id = issue(); });
    if (failure != "none") return code_in(failure);
    return node_of(id) == node_of_other ? kSameNodeId : kAnotherNodeId;
  }

  static std::uint64_t node_of(std::uint64_t id) { return kLayout.unpack(id).node; }
  static std::int64_t time_ms_of(std::uint64_t id) { return kLayout.unpack(id).time_ms; }
  static std::uint64_t position_of(std::uint64_t id) {
    const Parts parts = kLayout.unpack(id);
    return parts.tick << kLayout.sequence().width | parts.sequence;
  }

  const Source source;

 private:
  Worker in_store() const {
    LeaseOptions lease;
    lease.window_ms = 2000;
    lease.tolerance_ms = 200;
    const std::shared_ptr<Store> store = source.store(home.path());
    init_namespace(*store, kLayout, lease, true);
    return {store, lease};
  }

  static std::shared_ptr<ManualClock> manual_clock_of_all_processes(std::int64_t time_ms) {
    void* const memory =
        ::mmap(nullptr, sizeof(ManualClock), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) std::abort();
    return {new (memory) ManualClock(time_ms), [](ManualClock* clock) { ::munmap(clock, sizeof *clock); }};
  }

  const std::shared_ptr<ManualClock> manual_;
};

}  // namespace polyflake::test
