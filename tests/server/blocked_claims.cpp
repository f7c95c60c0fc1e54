// Tells whether claims of the event loop block: the sources of a configuration give ids at planned instants, and the thread
// that asks counts how often it gave up its processor while it did.
//
//   polyflake_blocked_claims CONFIGURATION SECONDS FLUSH_MS KEEPER
//
// FLUSH_MS: how much longer each write to the medium takes. KEEPER: 0 leaves it out, to see that the count finds what blocks.
// Prints one line of JSON for each generator.
#include <polyflake/error.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <sys/resource.h>

#include "configuration/configuration.hpp"
#include "ids/keeper.hpp"
#include "ids/opening.hpp"
#include "system_calls.hpp"

namespace polyflake::server {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::microseconds kPeriod(100);

int flush_ms = 0;

int slow_flush(const test::Call& call) {
  if (test::is(call, "fdatasync") || test::is(call, "fsync")) test::sleep_truly(flush_ms);
  return 0;
}

long switches() {
  rusage used{};
  ::getrusage(RUSAGE_THREAD, &used);
  return used.ru_nvcsw;
}

struct Count {
  long claims = 0;
  long waits = 0;  // the source said when to come again
  long blocked = 0;
};

void claim(Source& source, Count& count) {
  const long before = switches();
  const Source::Answer answer = source.take(1);
  source.drop();  // the next one is claimed, too
  if (switches() != before) ++count.blocked;
  ++(answer.ids.count == 1 ? count.claims : count.waits);
}

Configuration configuration_of(const char* path) {
  std::ifstream file(path);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  Configuration found = read_configuration(text, path);
  if (!found.registry.empty()) ::setenv("POLYFLAKE_HOME", found.registry.c_str(), 1);
  return found;
}

// A new registry gives none for two seconds.
void wait_for_first_id(Source& source) {
  const Clock::time_point end = Clock::now() + std::chrono::minutes(1);
  for (; Clock::now() < end; std::this_thread::sleep_for(kPeriod)) {
    try {
      if (source.take(1).ids.count != 0) return;
    } catch (const Error&) {
      // They are farther away than a request may wait.
    }
  }
  throw std::runtime_error("no id within a minute");
}

void run(char** words) {
  const Configuration configuration = configuration_of(words[1]);
  Opening opening(configuration, [] {});
  const Opening::Sources sources = opening.finish();
  std::vector<Source*> all;
  for (const auto& source : sources) all.push_back(source.get());
  std::optional<Keeper> keeper;
  if (std::atoi(words[4]) != 0) keeper.emplace(all);
  for (Source* const source : all) wait_for_first_id(*source);

  flush_ms = std::atoi(words[3]);
  test::on_calls(slow_flush);
  std::vector<Count> counts(all.size());
  const Clock::time_point end = Clock::now() + std::chrono::seconds(std::atoi(words[2]));
  for (Clock::time_point due = Clock::now(); due < end; due += kPeriod) {
    std::this_thread::sleep_until(due);
    for (std::size_t i = 0; i < all.size(); ++i) claim(*all[i], counts[i]);
  }
  for (const Count& one : counts) {
    std::printf("{\"claims\": %ld, \"waits\": %ld, \"blocked\": %ld}\n", one.claims, one.waits, one.blocked);
  }
}

}  // namespace
}  // namespace polyflake::server

int main(int count, char** words) {
  if (count != 5) {
    std::fprintf(stderr, "usage: %s CONFIGURATION SECONDS FLUSH_MS KEEPER\n", words[0]);
    return 2;
  }
  try {
    polyflake::server::run(words);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
