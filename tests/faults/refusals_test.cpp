// Who is refused, who is not, and what the message says to do.
#include <polyflake/polyflake.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <unistd.h>

#include "../core/copies.hpp"
#include "stopped_time.hpp"

namespace polyflake::test {
namespace {

class Refusals : public StoppedTime {};

TEST_F(Refusals, do_not_come_from_a_process_that_only_looks) {
  {
    Sibling holder;  // its mark lies ahead when it is gone, so that others look at it and do not take it
    ASSERT_EQ(holder.open("host:7"), "none");
    ASSERT_EQ(holder.take(), "none");
  }
  constexpr int kLingersMs = 20, kLongMs = 40;
  std::size_t looked = 0;
  for (int round = 0; round < 10; ++round) {
    Sibling looker, named;
    looker.linger_over(path(7), kLingersMs);
    std::thread looking([&] { looker.open("host"); });
    sleep_truly(kLingersMs / 4);
    const auto begin = std::chrono::steady_clock::now();
    const std::string said = named.open("host:7");
    const bool undisturbed = std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(kLongMs);
    looking.join();
    looked += looker.calls_met();
    EXPECT_TRUE(said == "none" || !undisturbed) << said;
  }
  EXPECT_GT(looked, 0U) << "nobody looked: the test is void";
}

TEST_F(Refusals, for_a_locked_folder_name_who_holds_it_not_who_wrote_there_last) {
  Sibling last, next;
  ASSERT_EQ(last.open("host:0"), "none");
  const std::string writer = "/" + std::to_string(last.pid());
  last.kill();
  const std::string nodes = folder() + "/nodes";
  const int fd = ::open(nodes.c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_EQ(::flock(fd, LOCK_EX | LOCK_NB), 0);
  const std::string failure = next.open("host:5");
  ::close(fd);
  EXPECT_EQ(code_in(failure), "registry_unusable");
  EXPECT_NE(failure.find(nodes), std::string::npos) << failure;
  EXPECT_EQ(failure.find(writer), std::string::npos) << failure;
  // Some file systems give locks another number than files.
  const bool is_named = failure.find("/" + std::to_string(::getpid()) + " (host/pid, running)") != std::string::npos;
  EXPECT_TRUE(is_named || failure.find("by another process") != std::string::npos) << failure;
}

TEST_F(Refusals, of_a_process_that_has_all_node_ids_itself_say_so) {
  constexpr const char* kNoNodeField = "timestamp:41 sequence:22 tick=1ms epoch=2020-01-01T00:00:00.000Z";
  Sibling alone(kNoNodeField);
  ASSERT_EQ(alone.open("0"), "none");
  const std::string failure = alone.open("host");
  EXPECT_EQ(code_in(failure), "no_worker_free");
  EXPECT_NE(failure.find("are held on this host by this process itself"), std::string::npos) << failure;
  EXPECT_NE(failure.find("\"host:0\""), std::string::npos) << failure;
  EXPECT_EQ(failure.find("end a process"), std::string::npos) << failure;
  EXPECT_EQ(alone.open("host:0"), "none");

  constexpr const char* kTwoNodes = "timestamp:41 worker:1 sequence:12 tick=1ms epoch=2020-01-01T00:00:00.000Z";
  Sibling one(kTwoNodes), other(kTwoNodes);
  ASSERT_EQ(one.open("0"), "none");
  ASSERT_EQ(other.open("host:1"), "none");
  const std::string of_both = one.open("host");
  EXPECT_EQ(code_in(of_both), "no_worker_free");
  EXPECT_NE(of_both.find("1 of them by this process itself"), std::string::npos) << of_both;
  EXPECT_NE(of_both.find("end a process"), std::string::npos) << of_both;
}

TEST_F(Refusals, of_a_limit_on_the_size_of_files_end_no_process) {
  for (const rlim_t limit : {rlim_t{0}, rlim_t{512}, rlim_t{4097}}) {
    const std::string said = in_copy(plain_fork, [&] {
      rlimit size = {limit, RLIM_INFINITY};
      ::setrlimit(RLIMIT_FSIZE, &size);
      Options options;
      options.worker = "host:0";
      const std::string failure = error_of([&] { Generator{options}; });
      size.rlim_cur = RLIM_INFINITY;
      ::setrlimit(RLIMIT_FSIZE, &size);
      return failure;
    });
    EXPECT_EQ(code_in(said), "registry_unusable") << said;
    EXPECT_NE(said.find("ulimit -f"), std::string::npos) << said;
  }
}

TEST_F(Refusals, for_a_clock_that_was_a_year_ahead_name_the_way_back) {
  constexpr const char* kTwoNodes = "timestamp:41 worker:1 sequence:12 tick=1ms epoch=2020-01-01T00:00:00.000Z";
  constexpr long kYear = 365L * 86400;
  set_clock_forward(kYear);
  for (int i = 0; i < 2; ++i) {
    Sibling ahead(kTwoNodes), ahead_too(kTwoNodes);
    for (Sibling* const sibling : {&ahead, &ahead_too}) {
      ASSERT_EQ(sibling->open("host"), "none");
      ASSERT_EQ(sibling->take(), "none");
    }
  }
  set_clock_forward(-kYear);
  Sibling one(kTwoNodes);
  std::string failure = one.open("host");
  if (failure == "none") failure = one.take();
  EXPECT_NE(failure, "none");
  const std::string file = node_path(home.path(), kTwoNodes, 0);
  EXPECT_NE(failure.find(file.substr(0, file.size() - 2)), std::string::npos) << "it names the folder: " << failure;
  EXPECT_NE(failure.find("remove"), std::string::npos) << failure;
  EXPECT_EQ(failure.find("already issued"), std::string::npos) << "none was by this process: " << failure;
}

TEST_F(Refusals, of_a_number_that_ran_far_ahead_before_the_registry_guarded_it_say_when_it_may_go_on) {
  Options options;
  options.layout = "timestamp:41 worker:10 sequence:1 tick=1ms epoch=2020-01-01T00:00:00.000Z";
  options.worker = 3;
  options.max_lead_ms = 60'000;
  Generator number(options);
  number.next_ids(100'000);  // 50 s ahead
  options.worker = "host:3";
  options.max_lead_ms = 0;
  Generator host(options);
  const std::string failure = error_of([&] { host.next_id(); });
  EXPECT_EQ(code_in(failure), "clock_behind");
  EXPECT_NE(failure.find("ran ahead of the clock"), std::string::npos) << failure;
  pass_time(60);
  EXPECT_EQ(error_of([&] { host.next_id(); }), "none");
}

// --- where nobody chose a source -------------------------------------------------------------------

class DefaultSource : public StoppedTime {};

TEST_F(DefaultSource, is_refused_where_several_copies_of_a_program_run) {
  for (const char* const variable :
       {"KUBERNETES_SERVICE_HOST", "ECS_CONTAINER_METADATA_URI_V4", "AWS_LAMBDA_FUNCTION_NAME", "K_SERVICE",
        "NOMAD_ALLOC_ID", "FLY_MACHINE_ID", "DYNO", "WEBSITE_INSTANCE_ID"}) {
    const std::string said = in_copy(plain_fork, [&] {
      ::setenv(variable, "x", 1);
      ::unsetenv("POLYFLAKE_WORKER");
      return error_of([] { Generator(Options{}); });
    });
    EXPECT_EQ(code_in(said), "worker_source_invalid") << variable;
    EXPECT_NE(said.find("ordinal"), std::string::npos) << said;
    EXPECT_NE(said.find(variable), std::string::npos) << said;
    const std::string chosen = in_copy(plain_fork, [&] {
      ::setenv(variable, "x", 1);
      Options options;
      options.worker = "host";
      return error_of([&] { Generator{options}; });
    });
    EXPECT_EQ(chosen, "none") << variable;
  }
}

}  // namespace
}  // namespace polyflake::test
