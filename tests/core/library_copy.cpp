// The library behind a C interface. Built into several shared objects and loaded from each, it is in one process several
// times, as it is with two versions of a package, or with a package inside a program that has the library too.
#include <polyflake/polyflake.hpp>

#include <memory>
#include <string>

#define EXPORTED extern "C" __attribute__((visibility("default")))

namespace {

std::unique_ptr<polyflake::Generator> generator;
std::string code;

template <class Work>
const char* code_of(Work work) {
  code = "";
  try {
    work();
  } catch (const polyflake::Error& error) {
    code = error.code_name();
  }
  return code.c_str();
}

}  // namespace

// Takes a node id, spelled as in POLYFLAKE_WORKER. Returns the code of the error, "" when there was none.
EXPORTED const char* copy_open(const char* worker) {
  return code_of([&] {
    polyflake::Options options;
    options.worker = polyflake::parse_worker_environment(worker);
    generator = std::make_unique<polyflake::Generator>(options);
  });
}

EXPORTED const char* copy_issue(std::uint64_t* ids, std::size_t count) {
  return code_of([&] { generator->fill(ids, count); });
}
