// A temporary folder that is the host registry while this object lives.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include <unistd.h>

namespace polyflake::test {

class FreshHome {
 public:
  FreshHome() : base_(make()), former_(value_of("POLYFLAKE_HOME")) {
    ::setenv("POLYFLAKE_HOME", path().c_str(), 1);
  }
  ~FreshHome() {
    ::setenv("POLYFLAKE_HOME", former_.c_str(), 1);
    std::error_code ignored;  // a leftover folder in /tmp is no failure
    std::filesystem::remove_all(base_, ignored);
  }
  FreshHome(const FreshHome&) = delete;
  FreshHome& operator=(const FreshHome&) = delete;

  // The registry; not created yet.
  std::string path() const { return base_ + "/home"; }
  // For other files of the test.
  std::string beside(const std::string& name) const { return base_ + "/" + name; }

 private:
  static std::string make() {
    std::string path = (std::filesystem::temp_directory_path() / "polyflake-test-XXXXXX").string();
    if (::mkdtemp(path.data()) == nullptr) std::abort();
    return path;
  }
  static std::string value_of(const char* variable) {
    const char* const value = std::getenv(variable);
    return value == nullptr ? "" : value;
  }

  const std::string base_;
  const std::string former_;
};

}  // namespace polyflake::test
