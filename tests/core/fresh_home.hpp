// A temporary folder that is the host registry while this object lives.
#pragma once

#include <filesystem>
#include <string>

#include "os/os.hpp"
#include "system.hpp"

namespace polyflake::test {

class FreshHome {
 public:
  FreshHome() : base_(make_temporary_folder()), former_(platform::environment("POLYFLAKE_HOME").value_or("")) {
    set_variable("POLYFLAKE_HOME", path());
  }
  ~FreshHome() {
    set_variable("POLYFLAKE_HOME", former_);
    std::error_code ignored;  // a leftover temporary folder is no failure
    std::filesystem::remove_all(base_, ignored);
  }
  FreshHome(const FreshHome&) = delete;
  FreshHome& operator=(const FreshHome&) = delete;

  // The registry; not created yet.
  std::string path() const { return platform::inside(base_, "home"); }
  // For other files of the test.
  std::string beside(const std::string& name) const { return platform::inside(base_, name); }

 private:
  const std::string base_;
  const std::string former_;
};

}  // namespace polyflake::test
