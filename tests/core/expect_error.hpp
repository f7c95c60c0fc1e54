// EXPECT_ERROR(statement, clock_behind): the statement throws polyflake::Error with this code.
#pragma once

#include <polyflake/error.hpp>

#include <gtest/gtest.h>

#include <string>

namespace polyflake::test {

// The code that the call raised with its message, "code: message"; "none" when it returned.
template <class Call>
std::string error_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return std::string(error.code_name()) + ": " + error.what();
  }
  return "none";
}

inline std::string code_in(const std::string& failure) { return failure.substr(0, failure.find(':')); }

}  // namespace polyflake::test

#define EXPECT_ERROR(statement, expected_code)                                                     \
  do {                                                                                             \
    const std::string raised = ::polyflake::test::error_of([&] { static_cast<void>(statement); }); \
    EXPECT_EQ(::polyflake::test::code_in(raised), #expected_code) << raised;                       \
  } while (false)
