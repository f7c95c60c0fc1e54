// The whole library in a module of its own, as a package brings it: two_copies_test.cpp loads it twice.
#include <polyflake/polyflake.hpp>

#include <cstdint>
#include <memory>

// Takes ids under this number. Returns "none", or the code of the failure.
extern "C" __attribute__((visibility("default"))) const char* polyflake_take(int number, std::uint64_t* ids, int count) {
  static auto* const generators = new std::unique_ptr<polyflake::Generator>[1024];
  try {
    if (generators[number] == nullptr) {
      polyflake::Options options;
      options.worker = number;
      generators[number] = std::make_unique<polyflake::Generator>(options);
    }
    for (int i = 0; i < count; ++i) ids[i] = generators[number]->next_id();
    return "none";
  } catch (const polyflake::Error& error) {
    return error.code_name();
  }
}
