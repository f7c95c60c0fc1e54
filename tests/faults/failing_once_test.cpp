// Each allocation and each system call of the library fails once, one at a time: the call says so or succeeds, and
// afterwards ids flow again, none twice, and nothing is left behind.
//
// Every round is a process of its own, since much is done once in a process. Its clock is 20 s ahead of the one before,
// and moves on instead of sleeping.
#include <polyflake/polyflake.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <ostream>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include <unistd.h>

#include "../core/copies.hpp"
#include "../core/fresh_home.hpp"
#include "../core/id_file.hpp"
#include "../core/node_files.hpp"
#include "allocations.hpp"
#include "system_calls.hpp"

namespace polyflake::test {
namespace {

const Layout kLayout = "polyflake";
constexpr long kSecondsOfARound = 20, kSecondsBeyondAWindow = 3;

// A generator and where its ids are kept.
class Bench {
 public:
  Bench(const std::string& home, IdFile& ids, const std::string& worker) : home_(home), ids_(ids) {
    const bool is_number = worker.find_first_not_of("0123456789") == std::string::npos;
    options_.worker = is_number ? Worker(std::stoi(worker)) : Worker(worker);
  }

  void open() { generator_.emplace(options_); }
  void take(std::size_t count = 1) {
    for (const std::uint64_t id : generator_->next_ids(count)) ids_.append(id);
  }
  void renew() { generator_->renew(); }
  void close() {
    if (generator_) generator_->close();
  }
  void reset() { generator_.reset(); }
  bool is_open() const { return generator_.has_value() && !generator_->closed(); }
  // Until an id comes, from this generator or a new one.
  void recover() {
    for (;;) {
      try {
        if (!is_open()) open();
        return take();
      } catch (const Error&) {
        pass_time(1);
      }
    }
  }
  void lose() {
    std::filesystem::remove(node_path(home_, kLayout, generator_->worker()));
    pass_time(kSecondsBeyondAWindow);
    if (error_of([&] { take(); }) == "none") std::abort();
  }

 private:
  const std::string home_;
  IdFile& ids_;
  Options options_;
  std::optional<Generator> generator_;
};

struct Operation {
  const char* name;
  void (*prepare)(Bench&);
  void (*act)(Bench&);
};

void PrintTo(const Operation& operation, std::ostream* out) { *out << operation.name; }

void nothing(Bench&) {}
void open_and_take(Bench& bench) { bench.open(), bench.take(); }

const Operation kOperations[] = {
    {"opening", nothing, open_and_take},
    {"opening_again", [](Bench& bench) { open_and_take(bench), bench.reset(); }, open_and_take},
    {"issuing", open_and_take, [](Bench& bench) { bench.take(10'000); }},
    {"extending", [](Bench& bench) { open_and_take(bench), pass_time(kSecondsBeyondAWindow); },
     [](Bench& bench) { bench.take(); }},
    {"renewing", open_and_take, [](Bench& bench) { bench.renew(); }},
    {"closing", open_and_take, [](Bench& bench) { bench.close(); }},
    {"reopening_what_was_lost", [](Bench& bench) { open_and_take(bench), bench.lose(); },
     [](Bench& bench) { bench.take(); }},
};

enum class Failing { allocation, system_call };

void PrintTo(Failing failing, std::ostream* out) { *out << (failing == Failing::allocation ? "allocation" : "call"); }

struct Descriptors {
  long files = 0, sockets = 0;  // "files" is whatever is not a socket
};

Descriptors open_descriptors() {
  Descriptors open;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code ignored;  // the one of this list is closed by the time
    const bool is_socket = std::filesystem::read_symlink(entry.path(), ignored).string().substr(0, 6) == "socket";
    ++(is_socket ? open.sockets : open.files);
  }
  return open;
}

class FailingOnce : public testing::TestWithParam<std::tuple<const char*, Operation, Failing>> {
 protected:
  FailingOnce() : ids(home.beside("ids"), 20'000'000) {}

  std::string worker() const { return std::get<0>(GetParam()); }
  const Operation& operation() const { return std::get<1>(GetParam()); }
  bool fails_calls() const { return std::get<2>(GetParam()) == Failing::system_call; }

  void begin(long n, int error) const { fails_calls() ? fail_call(n, error) : fail_allocation(n); }
  long end() const { return fails_calls() ? calls_made() : allocations_made(); }

  // In a process of its own, with the clock on.
  std::string in_a_process(const std::function<std::string()>& work) {
    ahead += kSecondsOfARound;
    return in_copy(plain_fork, [&] {
      ::alarm(kSecondsToHang);
      set_clock_ahead(ahead);
      let_sleepers_pass_time();
      on_calls(leave_out_flushes);
      return work();
    });
  }

  // A registry that was used before.
  void prepare_a_registry() {
    std::filesystem::remove_all(home.path());
    const std::string said = in_a_process([&] {
      Bench bench(home.path(), ids, worker());
      open_and_take(bench);
      return std::string("prepared");
    });
    if (said != "prepared") std::abort();
  }

  struct Outcome {
    std::string failure;  // "" when ids flowed again
    long places = 0;      // where it can fail
    Descriptors open;     // afterwards
  };

  // The operation fails at place n.
  Outcome round(long n, int error) {
    prepare_a_registry();
    const std::string said = in_a_process([&] {
      Bench bench(home.path(), ids, worker());
      operation().prepare(bench);
      begin(n, error);
      try {
        operation().act(bench);
      } catch (const Error&) {
      } catch (const std::bad_alloc&) {
      }
      const long places = end();
      on_calls(leave_out_flushes);
      bench.recover();
      const Descriptors open = open_descriptors();
      return std::to_string(places) + " " + std::to_string(open.files) + " " + std::to_string(open.sockets);
    });
    Outcome outcome;
    std::istringstream words(said);
    words >> outcome.places >> outcome.open.files >> outcome.open.sockets;
    if (!words || said.find("status") != std::string::npos) outcome.failure = "died or hung: " + said;
    return outcome;
  }

  // The same, and the process runs its exit handlers under the fault.
  void end_of_a_process(long n, int error) {
    prepare_a_registry();
    const std::string said = in_a_process([&]() -> std::string {
      Bench bench(home.path(), ids, worker());
      open_and_take(bench);
      begin(n, error);
      std::exit(0);
    });
    EXPECT_EQ(said, "") << "failing at " << n;
  }

  // In a process that comes later.
  void expect_that_the_node_id_is_free() {
    const std::string said = in_a_process([&] {
      for (const char* const node : {"host:0", "host:3"}) {
        Bench bench(home.path(), ids, node);
        open_and_take(bench);
      }
      return std::string("free");
    });
    EXPECT_EQ(said, "free");
  }

  void expect_no_id_twice() const {
    std::vector<std::uint64_t> all;
    for (std::size_t i = 0; i < ids.count(); ++i) all.push_back(ids[i]);
    std::sort(all.begin(), all.end());
    EXPECT_EQ(std::adjacent_find(all.begin(), all.end()), all.end()) << "an id twice";
  }

  const FreshHome home;
  IdFile ids;
  long ahead = 0;
};

TEST_P(FailingOnce, leaves_a_process_that_issues) {
  const Outcome usual = round(0, 0);
  ASSERT_EQ(usual.failure, "");
  for (const int error : {EIO, EINTR, EMFILE}) {
    if (!fails_calls() && error != EIO) break;
    for (long n = 1; n <= usual.places; ++n) {
      const std::string where = "failing at " + std::to_string(n) + " of " + std::to_string(usual.places);
      const Outcome outcome = round(n, error);
      ASSERT_EQ(outcome.failure, "") << where;
      EXPECT_LE(outcome.open.files, usual.open.files) << where;
      // A process keeps the mark of every node id it ever used.
      EXPECT_LE(outcome.open.sockets, usual.open.sockets + 1) << where;
      if (n % 10 == 0 || n == usual.places) expect_that_the_node_id_is_free();
    }
  }
  expect_no_id_twice();
}

std::string name_of_case(const testing::TestParamInfo<FailingOnce::ParamType>& info) {
  std::string worker = std::get<0>(info.param);
  std::replace(worker.begin(), worker.end(), ':', '_');
  return std::string(std::get<1>(info.param).name) + "_" + worker +
         (std::get<2>(info.param) == Failing::allocation ? "_without_an_allocation" : "_without_a_system_call");
}

INSTANTIATE_TEST_SUITE_P(All, FailingOnce,
                         testing::Combine(testing::Values("host", "host:3"), testing::ValuesIn(kOperations),
                                          testing::Values(Failing::allocation, Failing::system_call)),
                         name_of_case);

// What concerns a number without a file.
const Operation kWithoutAFile[] = {kOperations[0], kOperations[1], kOperations[2], kOperations[5]};

INSTANTIATE_TEST_SUITE_P(Number, FailingOnce,
                         testing::Combine(testing::Values("7"), testing::ValuesIn(kWithoutAFile),
                                          testing::Values(Failing::allocation, Failing::system_call)),
                         name_of_case);

class FailingAtExit : public FailingOnce {};

TEST_P(FailingAtExit, leaves_a_node_id_that_others_can_take) {
  for (long n = 1; n <= 24; ++n) end_of_a_process(n, EIO);
  expect_that_the_node_id_is_free();
  expect_no_id_twice();
}

INSTANTIATE_TEST_SUITE_P(All, FailingAtExit,
                         testing::Combine(testing::Values("host"), testing::Values(Operation{"exit", nothing, nothing}),
                                          testing::Values(Failing::allocation, Failing::system_call)),
                         name_of_case);

}  // namespace
}  // namespace polyflake::test
