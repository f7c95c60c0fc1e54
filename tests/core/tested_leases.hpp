// Generators on the store of a program of tests, and what they give.
#pragma once

#include <polyflake/polyflake.hpp>

#include <cstdint>
#include <string>

#include "expect_error.hpp"
#include "stores_in_trouble.hpp"
#include "tested_store.hpp"
#include "together.hpp"

namespace polyflake::test {

inline constexpr std::int64_t kWindowMs = 900;

// Its calls wait no longer than they must for what is meant to fail.
inline LeaseOptions lease(std::int64_t acquire_timeout_ms = 30'000) {
  LeaseOptions options = fresh(kWindowMs);
  options.acquire_timeout_ms = acquire_timeout_ms;
  options.renew_wait_ms = 100;
  return options;
}

inline constexpr std::int64_t kSoonMs = 500;

inline Options leased(const std::string& name, std::int64_t acquire_timeout_ms = 30'000) {
  return on(store_of_tests(name), lease(acquire_timeout_ms));
}

// For what time is not to matter to: no window is renewed or ends meanwhile, and no command is given up.
inline LeaseOptions calm() { return fresh(600'000); }

inline Options calmly_leased(const std::string& name) { return on(patient_store(name), calm()); }

inline SegmentOptions patient_numbers(const std::string& counter) {
  SegmentOptions options{counter, 10};
  options.timeout_ms = kLongMs;
  return options;
}

// Takes ids until it fails, and returns the code of the failure.
inline std::string take_until_failure(Generator& generator, Ids& ids) {
  std::string failure = "none";
  comes([&] {
    failure = error_of([&] { ids.push_back(generator.next_id()); });
    return failure != "none";
  });
  return code_in(failure);
}

inline bool takes(Generator& generator, Ids& ids) {
  return comes([&] { return error_of([&] { ids.push_back(generator.next_id()); }) == "none"; });
}

}  // namespace polyflake::test
