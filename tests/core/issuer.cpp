// A program that issues ids for tests: issuer LAYOUT WORKER COUNT [FILE]
//
// Prints "worker <node id>" once it is open, "done" after COUNT ids, or "error <code>: <message>" and
// exits with 1. The ids go to FILE (see id_file.hpp). Then it holds its node id until its input ends.
//
// It names nothing of process.hpp: what happens at exit is in every program.
#include <polyflake/polyflake.hpp>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "id_file.hpp"
#include "say.hpp"

namespace {

using polyflake::test::say;

// Where clocks run fast a window may be over before it is written, and processes that started one after the other see
// different times: both pass.
std::uint64_t next_id(polyflake::Generator& generator) {
  constexpr int kMostTries = 500;
  for (int tries = 1;; ++tries) {
    try {
      return generator.next_id();
    } catch (const polyflake::Error& error) {
      const bool passes =
          error.code() == polyflake::ErrorCode::registry_unusable || error.code() == polyflake::ErrorCode::clock_behind;
      if (!passes || tries == kMostTries) throw;
      polyflake::sleep_ns(100'000'000);
    }
  }
}

int run(const std::string& layout, const std::string& worker, std::size_t count, const char* file) {
  polyflake::Options options;
  options.layout = polyflake::Layout(layout);
  options.worker = worker;
  polyflake::Generator generator(options);
  say("worker " + std::to_string(generator.worker()));
  std::unique_ptr<polyflake::test::IdFile> ids;
  if (file != nullptr) ids = std::make_unique<polyflake::test::IdFile>(file, count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t id = next_id(generator);
    if (ids != nullptr) ids->append(id);
  }
  say("done");
  while (std::getchar() != EOF) {
  }
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 4) return 2;
  try {
    return run(arguments[1], arguments[2], static_cast<std::size_t>(std::atoll(arguments[3])),
               count > 4 ? arguments[4] : nullptr);
  } catch (const polyflake::Error& error) {
    say(std::string("error ") + error.code_name() + ": " + error.what());
    return 1;
  }
}
