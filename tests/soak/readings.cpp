// Processes on few node ids of one registry, for minutes, under one clock that steps at readings: any reading of it, by any of
// them, may set it for all.
//
//   readings [MINUTES] [--seed N]
//
// Each process issues single ids and batches in one or two threads, with and without a lead; it renews, forks, closes and opens
// again, until it exits, leaves without exit handlers, or is killed: from outside, or at a reading. Each id is compared with all
// others as soon as it was issued, in memory that outlives its process. Ends at the first equal ones, with exit code 1.
#include <polyflake/polyflake.hpp>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

namespace {

// Four node ids with sixteen ids a tick: one word of bits for each tick.
constexpr const char* kLayout = "timestamp:41 worker:2 sequence:4 tick=1ms epoch=2020-01-01T00:00:00.000Z";
constexpr std::uint64_t kNodes = 4, kSequences = 16;
constexpr int kProcesses = 6;
constexpr unsigned kSecondsToHang = 20;
constexpr std::int64_t kNsPerMs = 1'000'000;
constexpr std::int64_t kHourMs = 3'600'000;
constexpr std::int64_t kTicks = std::int64_t{1} << 23;  // 2.3 hours of the stepped clock
constexpr std::int64_t kClearedAheadMs = 60'000;

struct Shared {
  std::atomic<std::int64_t> ahead_ns{0};    // of the true clock
  std::atomic<std::int64_t> highest_ns{0};  // the latest time that the clock ever showed
  std::atomic<std::uint64_t> readings{0}, steps{0}, hours{0};
  std::atomic<std::uint64_t> opened{0}, forks{0}, refused{0};
  std::atomic<std::uint64_t> ids{0}, equal{0}, falling{0}, outside{0};
  // A bit for each node id and sequence of a tick, in a ring of ticks: those of the last two hours. The driver clears what comes.
  std::atomic<std::int64_t> cleared_to_ms{0};
  std::atomic<std::uint64_t> issued[kTicks];
};
Shared* g_shared = nullptr;

// One sequence for all threads of a process; another one in each process.
std::atomic<std::uint64_t> g_random{1};

std::uint64_t draw() {  // SplitMix64
  std::uint64_t word = g_random.fetch_add(0x9E3779B97F4A7C15, std::memory_order_relaxed);
  word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9;
  word = (word ^ (word >> 27)) * 0x94D049BB133111EB;
  return word ^ (word >> 31);
}
std::int64_t below(std::int64_t bound) { return static_cast<std::int64_t>(draw() % static_cast<std::uint64_t>(bound)); }
bool one_in(std::int64_t n) { return below(n) == 0; }

std::atomic<bool> g_dies_at_readings{false};

std::int64_t true_ns() {
  timespec now;
  ::syscall(SYS_clock_gettime, CLOCK_REALTIME, &now);
  return now.tv_sec * 1'000'000'000 + now.tv_nsec;
}

// Sets the clock to what it never showed yet, to what it showed a moment ago, or an hour back for a moment.
void step(Shared& shared) {
  const std::int64_t highest_ns = shared.highest_ns;
  const std::int64_t kind = below(100);
  std::int64_t to_ns = highest_ns - below(5000 * kNsPerMs);
  if (kind < 40) to_ns = highest_ns + below(3 * kNsPerMs);
  if (kind < 1) to_ns = highest_ns + below(3000 * kNsPerMs);
  if (kind >= 40 && kind < 60) to_ns = true_ns() + shared.ahead_ns + below(60 * kNsPerMs) - 30 * kNsPerMs;
  if (kind == 99) to_ns = highest_ns - kHourMs * kNsPerMs;
  shared.hours += kind == 99;
  shared.ahead_ns = to_ns - true_ns();
  ++shared.steps;
}

}  // namespace

extern "C" int clock_gettime(clockid_t clock, timespec* now) noexcept {
  if (clock != CLOCK_REALTIME || g_shared == nullptr) return static_cast<int>(::syscall(SYS_clock_gettime, clock, now));
  Shared& shared = *g_shared;
  ++shared.readings;
  if (one_in(12)) step(shared);
  if (g_dies_at_readings && one_in(2000)) ::kill(::getpid(), SIGKILL);
  const std::int64_t ns = true_ns() + shared.ahead_ns;
  std::int64_t highest_ns = shared.highest_ns;
  while (highest_ns < ns && !shared.highest_ns.compare_exchange_weak(highest_ns, ns)) {
  }
  *now = {ns / 1'000'000'000, ns % 1'000'000'000};
  return 0;
}

// Who sleeps passes time, for all; little of it is new, so that times come again and again.
extern "C" int nanosleep(const timespec* time, timespec* /*left*/) {
  if (g_shared != nullptr) {
    const std::int64_t ns = time->tv_sec * 1'000'000'000 + time->tv_nsec;
    const std::int64_t old_ns = std::max<std::int64_t>(g_shared->highest_ns - true_ns() - g_shared->ahead_ns, 0);
    g_shared->ahead_ns += std::min(ns, old_ns + kNsPerMs);
  }
  ::sched_yield();
  return 0;
}

namespace {

void pause_us(std::int64_t us) {
  const timespec time = {0, us * 1000};
  ::ppoll(nullptr, 0, &time, nullptr);
}

const polyflake::Layout& layout() {
  static const polyflake::Layout layout(kLayout);
  return layout;
}

void check(std::uint64_t id) {
  Shared& shared = *g_shared;
  const polyflake::Parts parts = layout().unpack(id);
  while (parts.time_ms >= shared.cleared_to_ms) pause_us(100);
  if (parts.time_ms < shared.cleared_to_ms - kTicks) {
    ++shared.outside;
    return;
  }
  const std::uint64_t bit = std::uint64_t{1} << (parts.node * kSequences + parts.sequence);
  if ((shared.issued[parts.time_ms % kTicks].fetch_or(bit) & bit) == 0) {
    ++shared.ids;
  } else if (++shared.equal <= 5) {
    std::printf("equal: %llu, node id %llu, %lld ms behind the clock's highest\n", static_cast<unsigned long long>(id),
                static_cast<unsigned long long>(parts.node),
                static_cast<long long>(shared.highest_ns / kNsPerMs - parts.time_ms));
    std::fflush(stdout);
  }
}

// Ids of one thread and one generator, which rise, over lost node ids, too.
class Issuer {
 public:
  explicit Issuer(polyflake::Generator& generator) : generator_(generator) {}

  void act() {
    const std::int64_t kind = below(100);
    if (kind < 55) {
      for (std::int64_t n = 1 + below(30); n > 0; --n) take(generator_.next_id());
    } else if (kind < 70) {
      for (const std::uint64_t id : generator_.next_ids(static_cast<std::size_t>(1 + below(60)))) take(id);
    } else if (kind < 75) {
      if (const auto id = generator_.try_next_id()) take(*id);
    } else if (kind < 95) {
      generator_.renew();
    } else {
      pause_us(below(3000));
    }
  }

 private:
  void take(std::uint64_t id) {
    if (id <= last_) ++g_shared->falling;
    last_ = id;
    check(id);
  }

  polyflake::Generator& generator_;
  std::uint64_t last_ = 0;
};

polyflake::Options some_options() {
  polyflake::Options options;
  options.layout = layout();
  options.worker = one_in(4) ? "host:" + std::to_string(below(kNodes)) : "host";
  constexpr std::int64_t kLeads[] = {0, 0, 40, 1998};
  options.max_lead_ms = kLeads[below(4)];
  options.max_wait_ms = one_in(2) ? 0 : below(20);
  if (one_in(3)) options.ordering = polyflake::Ordering::per_thread;
  return options;
}

void issue(polyflake::Generator& generator, std::int64_t actions, bool may_fork) {
  auto issuer = std::make_unique<Issuer>(generator);
  for (; actions > 0; --actions) {
    try {
      if (may_fork && one_in(60) && ::fork() == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        ::alarm(kSecondsToHang);
        ++g_shared->forks;
        g_random += static_cast<std::uint64_t>(::getpid()) << 32;
        issuer = std::make_unique<Issuer>(generator);  // ids of parent and child need not rise
        may_fork = false;
      }
      issuer->act();
    } catch (const polyflake::Error& error) {
      ++g_shared->refused;
      const bool is_over =
          error.code() == polyflake::ErrorCode::no_worker_free || error.code() == polyflake::ErrorCode::worker_in_use;
      if (is_over) return;
      pause_us(below(300));
    }
  }
}

[[noreturn]] void live(std::uint64_t seed) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::alarm(kSecondsToHang);
  g_random = seed;
  if (one_in(2)) ::setenv("POLYFLAKE_TICK_CACHE", "off", 1);
  g_dies_at_readings = one_in(3);
  for (std::int64_t openings = 1 + below(3); openings > 0; --openings) {
    try {
      polyflake::Generator generator(some_options());
      ++g_shared->opened;
      const std::int64_t actions = 1 + below(60);
      if (one_in(4)) {
        std::thread other([&] { issue(generator, actions, false); });
        issue(generator, actions, false);
        other.join();
      } else {
        issue(generator, actions, one_in(4));
      }
    } catch (const polyflake::Error&) {
      ++g_shared->refused;
      pause_us(below(1000));
    }
  }
  while (::waitpid(-1, nullptr, 0) > 0) {
  }
  if (one_in(4)) ::_exit(0);
  std::exit(0);
}

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

unsigned long long shown(std::uint64_t count) { return count; }

class Driver {
 public:
  Driver(Shared& shared, std::uint64_t seed) : shared_(shared), processes_(kProcesses) {
    const std::int64_t now_ns = true_ns();
    shared_.highest_ns = now_ns;
    shared_.cleared_to_ms = now_ns / kNsPerMs + kClearedAheadMs;
    g_random = seed;
    g_shared = &shared;
  }

  bool run(double minutes) {
    const double begin = seconds();
    for (double told = begin; seconds() - begin < 60 * minutes && shared_.equal == 0; pause_us(1000)) {
      clear_ahead();
      for (Process& process : processes_) look_after(process);
      if (seconds() - told < 10) continue;
      told = seconds();
      std::printf("%4.0f s: %llu ids, %llu equal\n", told - begin, shown(shared_.ids), shown(shared_.equal));
      std::fflush(stdout);
    }
    const double took = seconds() - begin;
    for (const Process& process : processes_) {
      if (process.pid > 0) ::kill(process.pid, SIGKILL);
    }
    while (::waitpid(-1, nullptr, 0) > 0) {
    }
    return tell(took);
  }

 private:
  struct Process {
    pid_t pid = 0;
    double killed_at = 0;
  };

  void clear_ahead() {
    const std::int64_t to_ms = shared_.highest_ns / kNsPerMs + kClearedAheadMs;
    for (std::int64_t ms = shared_.cleared_to_ms; ms < to_ms; ++ms) shared_.issued[ms % kTicks] = 0;
    if (to_ms > shared_.cleared_to_ms) shared_.cleared_to_ms = to_ms;
  }

  // Starts it again after its end, and kills it when its time has come.
  void look_after(Process& process) {
    int status = 0;
    if (process.pid > 0 && ::waitpid(process.pid, &status, WNOHANG) == process.pid) {
      process.pid = 0;
      const bool well = WIFEXITED(status) ? WEXITSTATUS(status) == 0 : WTERMSIG(status) == SIGKILL;
      if (!well) {
        ++failed_;
        std::printf("a process ended with status %d\n", status);
      }
    }
    if (process.pid > 0 && seconds() > process.killed_at) {
      ::kill(process.pid, SIGKILL);
      process.killed_at = 1e18;
      ++killed_;
    }
    if (process.pid > 0) return;
    const std::uint64_t seed = draw();
    process.killed_at = seconds() + (one_in(2) ? 0.001 * static_cast<double>(below(150)) : 60);
    process.pid = ::fork();
    if (process.pid == 0) live(seed);
    ++started_;
  }

  bool tell(double took) const {
    const Shared& all = shared_;
    std::printf("%llu processes, %llu of them killed from outside; %llu forks, %llu generators, %llu refusals\n",
                shown(started_), shown(killed_), shown(all.forks), shown(all.opened), shown(all.refused));
    std::printf("%llu readings of the clock, %llu steps at them, %llu by an hour\n", shown(all.readings),
                shown(all.steps), shown(all.hours));
    std::printf(
        "%llu ids in %.1f s: %llu equal, %llu not above the one before, %llu out of time, %llu processes failed\n",
        shown(all.ids), took, shown(all.equal), shown(all.falling), shown(all.outside), shown(failed_));
    const int failed = (all.equal != 0) + (all.falling != 0) + (all.outside != 0) + (failed_ != 0) + (all.ids == 0);
    std::printf("%d passed, %d failed\n", 5 - failed, failed);
    return failed == 0;
  }

  Shared& shared_;
  std::vector<Process> processes_;
  std::uint64_t started_ = 0, killed_ = 0, failed_ = 0;
};

int run(double minutes, std::uint64_t seed) {
  void* const memory = ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  std::string folder = std::filesystem::temp_directory_path() / "polyflake-readings-XXXXXX";
  if (memory == MAP_FAILED || ::mkdtemp(folder.data()) == nullptr) {
    std::perror("polyflake_soak_readings");
    return 2;
  }
  ::setenv("POLYFLAKE_HOME", folder.c_str(), 1);
  std::printf("seed %llu\n", shown(seed));
  std::fflush(stdout);
  const bool well =
      Driver(*static_cast<Shared*>(memory), seed).run(minutes);  // the memory is zeroed, as a new Shared is
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
  return well ? 0 : 1;
}

// The whole of a text as a number; else says how the program is used.
template <class Number>
Number number_in(const char* text, Number (*parse)(const char*, char**)) {
  char* end = nullptr;
  const Number number = parse(text, &end);
  if (end != text && *end == '\0') return number;
  std::fprintf(stderr, "usage: readings [MINUTES] [--seed N], not '%s'\n", text);
  std::exit(2);
}

}  // namespace

int main(int count, char** arguments) {
  double minutes = 10;
  std::uint64_t seed = std::random_device()();
  for (int i = 1; i < count; ++i) {
    if (std::strcmp(arguments[i], "--seed") == 0 && i + 1 < count) {
      seed = number_in<unsigned long long>(arguments[++i],
                                           [](const char* text, char** end) { return std::strtoull(text, end, 10); });
    } else {
      minutes = number_in<double>(arguments[i], std::strtod);
    }
  }
  return run(minutes, seed);
}
