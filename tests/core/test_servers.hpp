// The servers of a test that tests/servers/run began: their addresses, and what is done to them.
#pragma once

#include <cctype>
#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "lease/record.hpp"
#include "open/lease.hpp"
#include "os/connection.hpp"

namespace polyflake::test {

// Errors: std::runtime_error if the test was not begun by tests/servers/run: it is never left out.
inline std::string variable(const std::string& name) {
  const char* const value = std::getenv(name.c_str());
  if (value == nullptr)
    throw std::runtime_error(name + " is not set: begin this test by tests/servers/run, as ctest does");
  return value;
}

// The address of "redis", "redis2", "etcd", ...
inline std::string address_of(std::string server) {
  for (char& c : server) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return variable("POLYFLAKE_TEST_" + server);
}

// Obeys a line of tests/servers/control.py, such as "kill redis". Returns what it answers after "ok". Errors:
// std::runtime_error with its complaint.
inline std::string control(const std::string& line) {
  const std::string address = variable("POLYFLAKE_TEST_CONTROL");
  const std::size_t colon = address.rfind(':');
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(5);
  Connection connection;
  connection.open(address.substr(0, colon), address.substr(colon + 1), deadline);
  connection.send(line + "\n", deadline);
  std::string answer;
  for (char c = ' '; c != '\n'; answer += c) connection.receive(&c, 1, deadline);
  answer.pop_back();
  if (answer.rfind("ok", 0) != 0) throw std::runtime_error(line + ": " + answer);
  return answer.size() > 3 ? answer.substr(3) : "";
}

// A name that no test of these servers had before.
inline std::string new_name() { return "n" + lease::to_text(lease::SystemRandom().word()); }

}  // namespace polyflake::test
