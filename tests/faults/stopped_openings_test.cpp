// A process that is stopped at any system call of its opening, while the registry is removed, replaced or moved: what it
// read before says nothing any more when it goes on.
//
// Three processes a case, all cases at once, since they sleep most of the time: `early` issues before the other is
// stopped, `stopped` for five seconds, `late` comes meanwhile. Ticks are long and each begins at the same sequence in
// every process, so that two with one node id cannot fail to issue the same ids.
#include <polyflake/polyflake.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include <sys/wait.h>

#include "../core/fresh_home.hpp"
#include "../core/id_file.hpp"
#include "../core/program.hpp"

namespace polyflake::test {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

constexpr const char* kLayout = "timestamp:36 worker:10 sequence:16 tick=100ms epoch=2020-01-01T00:00:00.000Z";
constexpr std::size_t kMostIds = 20'000;

// What happens to the registry, in ms after the other process was stopped. `Late` leaves what was removed or replaced a
// window that is not over yet.
enum class Event {
  removed_early,
  removed_late,
  copied_early,
  copied_late,
  moved_for_less_than_a_window,
  moved_for_long
};
constexpr Event kEvents[] = {Event::removed_early,
                             Event::removed_late,
                             Event::copied_early,
                             Event::copied_late,
                             Event::moved_for_less_than_a_window,
                             Event::moved_for_long};
const char* const kNames[] = {"removed early",
                              "removed late",
                              "replaced by a copy early",
                              "replaced by a copy late",
                              "moved away and soon back",
                              "moved away and back much later"};

Program start(const std::string& home, long stop_at, const std::string& file) {
  return Program({POLYFLAKE_STOPPING_ISSUER, kLayout, std::to_string(stop_at), file, std::to_string(kMostIds)},
                 {"POLYFLAKE_HOME=" + home});
}

// Until the process is stopped; false when it said that it is through.
bool stops(const Program& program) {
  for (;;) {
    siginfo_t info = {};
    if (::waitid(P_PID, static_cast<id_t>(program.pid()), &info, WSTOPPED | WEXITED | WNOHANG | WNOWAIT) != 0)
      return false;
    if (info.si_pid != 0) return info.si_code == CLD_STOPPED;
    if (program.has_output()) return false;
    std::this_thread::sleep_for(milliseconds(2));
  }
}

bool has_issued(const std::string& file) {
  std::error_code missing;
  const auto size = fs::file_size(file, missing);
  return !missing && size > 0 && IdFile(file).count() > 0;
}

class Case {
 public:
  Case(const std::string& folder, Event event, long stop_at)
      : folder_(folder), home_(folder + "/home"), event_(event), stop_at_(stop_at) {
    fs::create_directories(folder_);
    early_.emplace(start(home_, 0, file("early")));
  }

  void wait_for_early() { early_->line(); }
  void start_to_be_stopped() { stopped_.emplace(start(home_, stop_at_, file("stopped"))); }
  void wait_until_stopped() { did_stop_ = stops(*stopped_); }
  bool did_stop() const { return did_stop_; }

  // Called for every event at these instants.
  void soon() {
    switch (event_) {
      case Event::removed_early: fs::remove_all(home_); break;
      case Event::copied_early: replace_by_copy(); break;
      case Event::moved_for_less_than_a_window: fs::rename(home_, away()); break;
      case Event::moved_for_long:
        early_->kill_now();
        fs::rename(home_, away());
        break;
      default: return;
    }
    start_late();
  }
  void after_a_second() {
    if (event_ == Event::moved_for_less_than_a_window) move_back();
  }
  void after_four_seconds() {
    if (event_ == Event::moved_for_long) late_->end();
  }
  void before_it_goes_on() {
    switch (event_) {
      case Event::removed_late: fs::remove_all(home_); break;
      case Event::copied_late: replace_by_copy(); break;
      case Event::moved_for_long: move_back(); break;
      default: break;
    }
  }
  void go_on() { ::kill(stopped_->pid(), SIGCONT); }
  void right_after() {  // so that the one which goes on has the choice
    if (event_ == Event::removed_late || event_ == Event::copied_late) start_late();
  }
  void wait_until_all_issued() {
    const auto begin = std::chrono::steady_clock::now();
    for (const char* const who : {"early", "stopped", "late"}) {
      while (!has_issued(file(who)) && std::chrono::steady_clock::now() - begin < std::chrono::seconds(30)) {
        std::this_thread::sleep_for(milliseconds(2));
      }
    }
  }
  void end() {
    for (auto* program : {&early_, &stopped_, &late_}) {
      if ((*program)->running()) (*program)->kill_now();
    }
  }

  // Ids that two processes issued, or one twice.
  std::size_t duplicates() const {
    std::vector<std::uint64_t> ids;
    for (const char* const who : {"early", "stopped", "late"}) {
      const IdFile issued(file(who));
      EXPECT_GT(issued.count(), 0U) << who << " process issued nothing: " << name();
      EXPECT_LT(issued.count(), kMostIds);
      for (std::size_t i = 0; i < issued.count(); ++i) ids.push_back(issued[i]);
    }
    std::sort(ids.begin(), ids.end());
    std::size_t count = 0;
    for (std::size_t i = 1; i < ids.size(); ++i) count += ids[i] == ids[i - 1] ? 1 : 0;
    return count;
  }
  Event event() const { return event_; }
  std::string name() const {
    return std::string(kNames[static_cast<int>(event_)]) + ", stopped before call " + std::to_string(stop_at_);
  }

 private:
  std::string file(const char* who) const { return folder_ + "/" + who; }
  std::string away() const { return folder_ + "/away"; }
  void start_late() { late_.emplace(start(home_, 0, file("late"))); }
  void move_back() {
    fs::remove_all(home_);
    fs::rename(away(), home_);
  }
  void replace_by_copy() {
    const std::string copy = folder_ + "/copy";
    fs::copy(home_, copy, fs::copy_options::recursive);
    fs::rename(home_, away());
    fs::rename(copy, home_);
  }

  const std::string folder_, home_;
  const Event event_;
  const long stop_at_;
  bool did_stop_ = false;
  std::optional<Program> early_, stopped_, late_;
};

// How many system calls it takes to open beside another process and take an id.
long calls_of_an_opening(const FreshHome& home) {
  const std::string folder = home.beside("counted"), registry = folder + "/home";
  fs::create_directories(folder);
  Program first = start(registry, 0, folder + "/first");
  first.line();
  Program second = start(registry, 0, folder + "/second");
  const long calls = std::stol(second.line());
  first.end();
  second.end();
  return calls;
}

TEST(StoppedOpenings, repeat_no_id_whatever_became_of_the_registry_meanwhile) {
  const FreshHome home;
  const long calls = calls_of_an_opening(home);
  std::vector<std::unique_ptr<Case>> cases;
  for (const Event event : kEvents) {
    for (long call = 1; call <= calls; ++call) {
      cases.push_back(std::make_unique<Case>(home.beside("case" + std::to_string(cases.size())), event, call));
    }
  }
  for (auto& one : cases) one->wait_for_early();
  for (auto& one : cases) one->start_to_be_stopped();
  for (auto& one : cases) one->wait_until_stopped();
  const auto stopped_at = std::chrono::steady_clock::now();
  const auto at = [&](int ms, void (Case::*act)()) {
    std::this_thread::sleep_until(stopped_at + milliseconds(ms));
    for (auto& one : cases) ((*one).*act)();
  };
  at(100, &Case::soon);
  at(1000, &Case::after_a_second);
  at(4000, &Case::after_four_seconds);
  at(4900, &Case::before_it_goes_on);
  at(5000, &Case::go_on);
  at(5050, &Case::right_after);
  at(8000, &Case::wait_until_all_issued);
  at(8000, &Case::end);

  std::map<Event, std::size_t> duplicates;
  std::size_t stopped = 0;
  for (const auto& one : cases) {
    const std::size_t found = one->duplicates();
    EXPECT_EQ(found, 0U) << one->name();
    duplicates[one->event()] += found;
    stopped += one->did_stop() ? 1 : 0;
  }
  std::printf("%ld system calls, stopped at one of them in %zu of %zu cases\n", calls, stopped, cases.size());
  for (const auto& [event, count] : duplicates)
    std::printf("%s: %zu duplicates\n", kNames[static_cast<int>(event)], count);
  EXPECT_GT(stopped, cases.size() / 2);
}

}  // namespace
}  // namespace polyflake::test
